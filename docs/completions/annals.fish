# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_annals_global_optspecs
    string join \n root= demo exclude= alias= session= no-index json jsonl csv timezone= color= redact= no-pager h/help V/version
end

function __fish_annals_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_annals_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_annals_using_subcommand
    set -l cmd (__fish_annals_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c annals -n "__fish_annals_needs_command" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_needs_command" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_needs_command" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_needs_command" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_needs_command" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_needs_command" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_needs_command" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_needs_command" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_needs_command" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_needs_command" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_needs_command" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_needs_command" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_needs_command" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_needs_command" -s V -l version -d 'Print version'
complete -c annals -n "__fish_annals_needs_command" -f -a "ls" -d 'List sessions, newest first'
complete -c annals -n "__fish_annals_needs_command" -f -a "projects" -d 'List projects, the one used last first'
complete -c annals -n "__fish_annals_needs_command" -f -a "where" -d 'Tell where Claude Code keeps the sessions of a folder'
complete -c annals -n "__fish_annals_needs_command" -f -a "info" -d 'Show one session on a card'
complete -c annals -n "__fish_annals_needs_command" -f -a "show" -d 'Show what was said and done in a session'
complete -c annals -n "__fish_annals_needs_command" -f -a "search" -d 'Find words in everything that was said'
complete -c annals -n "__fish_annals_needs_command" -f -a "grep" -d 'Look for a pattern in everything that was said'
complete -c annals -n "__fish_annals_needs_command" -f -a "files" -d 'Show which files sessions read and changed'
complete -c annals -n "__fish_annals_needs_command" -f -a "prompts" -d 'Show only what was typed'
complete -c annals -n "__fish_annals_needs_command" -f -a "tree" -d 'Show how a session grew: branches, compactions, agents, forks'
complete -c annals -n "__fish_annals_needs_command" -f -a "tools" -d 'Show what tools were called, and what came of it'
complete -c annals -n "__fish_annals_needs_command" -f -a "agents" -d 'Show the tree of a session\'s sub-agents and workflows'
complete -c annals -n "__fish_annals_needs_command" -f -a "plan" -d 'Show the plan of a session'
complete -c annals -n "__fish_annals_needs_command" -f -a "context" -d 'Show what fills the context of a session'
complete -c annals -n "__fish_annals_needs_command" -f -a "mark" -d 'Mark a place in a session, or list what is marked'
complete -c annals -n "__fish_annals_needs_command" -f -a "mcp" -d 'Serve past sessions to agents, by the Model Context Protocol'
complete -c annals -n "__fish_annals_needs_command" -f -a "rename" -d 'Give a session a title'
complete -c annals -n "__fish_annals_needs_command" -f -a "resume" -d 'Go on with a session in Claude Code'
complete -c annals -n "__fish_annals_needs_command" -f -a "tag" -d 'Give a session a tag, or take it away'
complete -c annals -n "__fish_annals_needs_command" -f -a "usage" -d 'Show what was used, and what it would cost'
complete -c annals -n "__fish_annals_needs_command" -f -a "watch" -d 'Look on while sessions are written'
complete -c annals -n "__fish_annals_needs_command" -f -a "sql" -d 'Ask the index in SQL'
complete -c annals -n "__fish_annals_needs_command" -f -a "export" -d 'Write sessions to files, to be read or handed on elsewhere'
complete -c annals -n "__fish_annals_needs_command" -f -a "archive" -d 'Keep every session, and get it back'
complete -c annals -n "__fish_annals_needs_command" -f -a "doctor" -d 'Examine every store'
complete -c annals -n "__fish_annals_needs_command" -f -a "hook" -d 'Keep sessions as they end, for Claude Code\'s hooks'
complete -c annals -n "__fish_annals_needs_command" -f -a "statusline" -d 'Show model, context, cost, limits and branch in Claude Code\'s status line'
complete -c annals -n "__fish_annals_needs_command" -f -a "setup" -d 'Set annals up in Claude Code, or take it out again'
complete -c annals -n "__fish_annals_needs_command" -f -a "completions" -d 'Print completions for a shell'
complete -c annals -n "__fish_annals_needs_command" -f -a "man" -d 'Print a page of the manual'
complete -c annals -n "__fish_annals_needs_command" -f -a "reference" -d 'Print the reference of the command line'
complete -c annals -n "__fish_annals_using_subcommand ls" -l project -d 'Only this project: the folder\'s repository with its worktrees and subdirectories' -r -F
complete -c annals -n "__fish_annals_using_subcommand ls" -l since -d 'Not before this day: a date, `yesterday`, `3d`, `2w`; or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l until -d 'Not after this day' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l git-branch -d 'Only this git branch; `*` stands for anything' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l model -d 'Only where a model of this name answered' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l tool -d 'Only where this tool was called; `*` stands for anything' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l limit -d 'At most so many rows; 0 for all. Default: 20 on a terminal' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l tag -d 'Only sessions with this tag' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand ls" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand ls" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand ls" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand ls" -l exact -d 'With --project or --here: only that very folder'
complete -c annals -n "__fish_annals_using_subcommand ls" -l hidden -d 'Show also what Claude Code hides, and why'
complete -c annals -n "__fish_annals_using_subcommand ls" -l gone -d 'Show sessions whose transcripts are gone from disk: those the archive keeps, and those of which only the prompts are remembered'
complete -c annals -n "__fish_annals_using_subcommand ls" -l no-programmatic -d 'Leave out sessions that a program started'
complete -c annals -n "__fish_annals_using_subcommand ls" -l marked -d 'Only sessions with a mark in them'
complete -c annals -n "__fish_annals_using_subcommand ls" -l live -d 'Show the sessions that run right now, by what their processes wrote down'
complete -c annals -n "__fish_annals_using_subcommand ls" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand ls" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand ls" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand ls" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand ls" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand ls" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand ls" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand projects" -l project -d 'Only this project: the folder\'s repository with its worktrees and subdirectories' -r -F
complete -c annals -n "__fish_annals_using_subcommand projects" -l since -d 'Not before this day: a date, `yesterday`, `3d`, `2w`; or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l until -d 'Not after this day' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l git-branch -d 'Only this git branch; `*` stands for anything' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l model -d 'Only where a model of this name answered' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l tool -d 'Only where this tool was called; `*` stands for anything' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l limit -d 'At most so many rows; 0 for all. Default: 20 on a terminal' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand projects" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand projects" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand projects" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand projects" -l exact -d 'With --project or --here: only that very folder'
complete -c annals -n "__fish_annals_using_subcommand projects" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand projects" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand projects" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand projects" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand projects" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand projects" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand projects" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand where" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand where" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand where" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand where" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand where" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand where" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand where" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand where" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand where" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand where" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand where" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand where" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand where" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand where" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand info" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand info" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand info" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand info" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand info" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand info" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand info" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand info" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand info" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand info" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand info" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand info" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand info" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand info" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand show" -l view -d 'What to show of it; default: app' -r -f -a "app\t'The conversation as the app shows it when the session is resumed'
sdk\t'The conversation as the official reader returns it'
all\t'Every record in the order of the file'"
complete -c annals -n "__fish_annals_using_subcommand show" -l alt -d 'The conversation as it would stand on a branch that was left behind, by its number' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l generation -d 'What was said before a compaction: 1 is the first generation' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l agents -d 'Sub-agents: their conversations in place, a line each, not at all, or everything in one line of time' -r -f -a "inline\t'Their conversations, where they were started'
fold\t'A line each, where they were started'
none\t'Not at all'
flat\t'The session and its agents in one line of time'"
complete -c annals -n "__fish_annals_using_subcommand show" -l tools -d 'How much of what tools did; default: brief' -r -f -a "full\t'Everything they were asked and answered'
brief\t'A line each, short changes, and the beginnings of what failed'
none\t'Nothing'"
complete -c annals -n "__fish_annals_using_subcommand show" -l from -d 'From this turn' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l to -d 'To this turn' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l last -d 'Only the last so many turns' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l find -d 'Only turns that speak of this' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l type -d 'Only records of this type; repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l since -d 'Not before this moment, by the record\'s own time' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l until -d 'Not after this moment' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l limit -d 'At most so many records; 0 for all' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand show" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand show" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand show" -l thinking -d 'Show what the model thought'
complete -c annals -n "__fish_annals_using_subcommand show" -l raw -d 'The bytes of the transcript as they are'
complete -c annals -n "__fish_annals_using_subcommand show" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand show" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand show" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand show" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand show" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand show" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand search" -l sort -d 'What comes first' -r -f -a "score\t'The best'
time\t'The newest'"
complete -c annals -n "__fish_annals_using_subcommand search" -s C -l context -d 'Show so many messages before and after each hit' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l project -d 'Only this project: the folder\'s repository with its worktrees and subdirectories' -r -F
complete -c annals -n "__fish_annals_using_subcommand search" -l since -d 'Not before this day: a date, `yesterday`, `3d`, `2w`; or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l until -d 'Not after this day' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l git-branch -d 'Only this git branch; `*` stands for anything' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l model -d 'Only where a model of this name answered' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l tool -d 'Only where this tool was called; `*` stands for anything' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l limit -d 'At most so many rows; 0 for all. Default: 20 on a terminal' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l offset -d 'Leave out so many hits at the beginning; `next` in JSON says how many' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l memory -d 'How much memory bringing the index up to date may take, in MB' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand search" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand search" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand search" -l hits -d 'Show hits one by one, not by session'
complete -c annals -n "__fish_annals_using_subcommand search" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand search" -l exact -d 'With --project or --here: only that very folder'
complete -c annals -n "__fish_annals_using_subcommand search" -l wait -d 'Wait until the index is complete, however long that takes'
complete -c annals -n "__fish_annals_using_subcommand search" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand search" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand search" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand search" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand search" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand search" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand search" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand grep" -s C -l context -d 'Show so many lines of the text around those that match' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l role -d 'Only in what was said so; repeatable' -r -f -a "user\t'Prompts'
assistant\t'Answers'
thinking\t'Thoughts'
tool_use\t'Calls of tools'
tool_result\t'What tools answered'
summary\t'Of what was compacted, or of a session'
system\t'What the app noted'
attachment\t'What the app put into the context'
queued\t'Prompts typed while the model worked'
title\t'Names and tags'
plan\t'Plans in files of their own'"
complete -c annals -n "__fish_annals_using_subcommand grep" -l project -d 'Only this project: the folder\'s repository with its worktrees and subdirectories' -r -F
complete -c annals -n "__fish_annals_using_subcommand grep" -l since -d 'Not before this day: a date, `yesterday`, `3d`, `2w`; or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l until -d 'Not after this day' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l git-branch -d 'Only this git branch; `*` stands for anything' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l model -d 'Only where a model of this name answered' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l tool -d 'Only where this tool was called; `*` stands for anything' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l limit -d 'At most so many rows; 0 for all. Default: 20 on a terminal' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand grep" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand grep" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand grep" -s i -l ignore-case -d 'Upper and lower case are the same'
complete -c annals -n "__fish_annals_using_subcommand grep" -s F -l fixed-strings -d 'The pattern is text, not a regular expression'
complete -c annals -n "__fish_annals_using_subcommand grep" -s w -l word-regexp -d 'Only whole words'
complete -c annals -n "__fish_annals_using_subcommand grep" -s l -l sessions -d 'List the sessions only'
complete -c annals -n "__fish_annals_using_subcommand grep" -s c -l count -d 'Count the hits of each session only'
complete -c annals -n "__fish_annals_using_subcommand grep" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand grep" -l exact -d 'With --project or --here: only that very folder'
complete -c annals -n "__fish_annals_using_subcommand grep" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand grep" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand grep" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand grep" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand grep" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand grep" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand grep" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand files" -l blame -d 'Show the session and prompt that last wrote each line of this file, where the recorded changes explain it' -r -F
complete -c annals -n "__fish_annals_using_subcommand files" -l commit -d 'Show the session and the prompts behind a commit: at least 4 digits of it' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l map -d 'What was OLD then is NEW now: a folder or a file that moved; repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l project -d 'Only this project: the folder\'s repository with its worktrees and subdirectories' -r -F
complete -c annals -n "__fish_annals_using_subcommand files" -l since -d 'Not before this day: a date, `yesterday`, `3d`, `2w`; or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l until -d 'Not after this day' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l git-branch -d 'Only this git branch; `*` stands for anything' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l model -d 'Only where a model of this name answered' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l tool -d 'Only where this tool was called; `*` stands for anything' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l limit -d 'At most so many rows; 0 for all. Default: 20 on a terminal' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l offset -d 'Leave out so many rows first: what `next` in JSON says' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand files" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand files" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand files" -l reads -d 'With a file: list readings too'
complete -c annals -n "__fish_annals_using_subcommand files" -l no-diff -d 'With a file: leave the diffs out'
complete -c annals -n "__fish_annals_using_subcommand files" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand files" -l exact -d 'With --project or --here: only that very folder'
complete -c annals -n "__fish_annals_using_subcommand files" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand files" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand files" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand files" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand files" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand files" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand files" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand prompts" -l project -d 'Only this project: the folder\'s repository with its worktrees and subdirectories' -r -F
complete -c annals -n "__fish_annals_using_subcommand prompts" -l since -d 'Not before this day: a date, `yesterday`, `3d`, `2w`; or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l until -d 'Not after this day' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l git-branch -d 'Only this git branch; `*` stands for anything' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l model -d 'Only where a model of this name answered' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l tool -d 'Only where this tool was called; `*` stands for anything' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l limit -d 'At most so many rows; 0 for all. Default: 20 on a terminal' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand prompts" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand prompts" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand prompts" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand prompts" -l exact -d 'With --project or --here: only that very folder'
complete -c annals -n "__fish_annals_using_subcommand prompts" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand prompts" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand prompts" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand prompts" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand prompts" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand prompts" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand prompts" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand tree" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand tree" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand tree" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand tree" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand tree" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand tree" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand tree" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand tree" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand tree" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand tree" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand tree" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand tree" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand tree" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand tree" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand tools" -l project -d 'Only this project: the folder\'s repository with its worktrees and subdirectories' -r -F
complete -c annals -n "__fish_annals_using_subcommand tools" -l since -d 'Not before this day: a date, `yesterday`, `3d`, `2w`; or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l until -d 'Not after this day' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l git-branch -d 'Only this git branch; `*` stands for anything' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l model -d 'Only where a model of this name answered' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l tool -d 'Only where this tool was called; `*` stands for anything' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l limit -d 'At most so many rows; 0 for all. Default: 20 on a terminal' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l offset -d 'Leave out so many calls first: what `next` in JSON says' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l status -d 'Only calls that ended so; repeatable' -r -f -a "ok\t'Answered'
error\t'The tool failed'
denied\t'It was not allowed'
interrupted\t'The person cut it off'
missing\t'There is no answer'"
complete -c annals -n "__fish_annals_using_subcommand tools" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand tools" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand tools" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand tools" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand tools" -l exact -d 'With --project or --here: only that very folder'
complete -c annals -n "__fish_annals_using_subcommand tools" -l errors -d 'Only calls that went wrong: error, denied, interrupted'
complete -c annals -n "__fish_annals_using_subcommand tools" -l stats -d 'Sum them up'
complete -c annals -n "__fish_annals_using_subcommand tools" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand tools" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand tools" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand tools" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand tools" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand tools" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand tools" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand agents" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand agents" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand agents" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand agents" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand agents" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand agents" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand agents" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand agents" -l warmup -d 'Show warm-up agents too'
complete -c annals -n "__fish_annals_using_subcommand agents" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand agents" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand agents" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand agents" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand agents" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand agents" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand agents" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand plan" -l number -d 'Show this version instead of the latest' -r
complete -c annals -n "__fish_annals_using_subcommand plan" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand plan" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand plan" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand plan" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand plan" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand plan" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand plan" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand plan" -l versions -d 'List the versions'
complete -c annals -n "__fish_annals_using_subcommand plan" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand plan" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand plan" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand plan" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand plan" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand plan" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand plan" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand context" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand context" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand context" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand context" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand context" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand context" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand context" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand context" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand context" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand context" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand context" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand context" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand context" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand context" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand mark" -l remove -d 'Take away a mark, by its own id or by what it stands at' -r
complete -c annals -n "__fish_annals_using_subcommand mark" -l limit -d 'At most so many rows; 0 for all. Default: 20 on a terminal' -r
complete -c annals -n "__fish_annals_using_subcommand mark" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand mark" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand mark" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand mark" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand mark" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand mark" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand mark" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand mark" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand mark" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand mark" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand mark" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand mark" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand mark" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand mark" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand mcp" -l scope -d 'What may be seen' -r -f -a "project\t'The sessions of the project of the working directory'
all\t'All sessions'"
complete -c annals -n "__fish_annals_using_subcommand mcp" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand mcp" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand mcp" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand mcp" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand mcp" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand mcp" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand mcp" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand mcp" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand mcp" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand mcp" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand mcp" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand mcp" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand mcp" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand mcp" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand rename" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand rename" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand rename" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand rename" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand rename" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand rename" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand rename" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand rename" -l force -d 'Also if the session is running'
complete -c annals -n "__fish_annals_using_subcommand rename" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand rename" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand rename" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand rename" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand rename" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand rename" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand rename" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand resume" -l in -d 'Go on in this folder instead' -r -F
complete -c annals -n "__fish_annals_using_subcommand resume" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand resume" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand resume" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand resume" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand resume" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand resume" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand resume" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand resume" -l print -d 'Only print the command'
complete -c annals -n "__fish_annals_using_subcommand resume" -l fork -d 'Go on with a copy of it, under an id of its own'
complete -c annals -n "__fish_annals_using_subcommand resume" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand resume" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand resume" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand resume" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand resume" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand resume" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand resume" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand tag" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand tag" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand tag" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand tag" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand tag" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand tag" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand tag" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand tag" -l force -d 'Also if the session is running'
complete -c annals -n "__fish_annals_using_subcommand tag" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand tag" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand tag" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand tag" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand tag" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand tag" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand tag" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand usage" -l by -d 'Group by these instead, the coarsest first' -r -f -a "day\t''
week\t''
month\t''
hour\t''
session\t''
turn\t''
project\t''
worktree\t''
model\t''
branch\t''
agent\t''
skill\t''
plugin\t''
mcp\t''
tool\t''
effort\t''
entrypoint\t''
version\t''
block\t''"
complete -c annals -n "__fish_annals_using_subcommand usage" -l project -d 'Only this project: the folder\'s repository with its worktrees and subdirectories' -r -F
complete -c annals -n "__fish_annals_using_subcommand usage" -l since -d 'Not before this day: a date, `yesterday`, `3d`, `2w`; or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l until -d 'Not after this day' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l git-branch -d 'Only this git branch; `*` stands for anything' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l model -d 'Only where a model of this name answered' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l tool -d 'Only where this tool was called; `*` stands for anything' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l limit -d 'At most so many rows; 0 for all. Default: 20 on a terminal' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l cost -d 'Whose word is taken for what a call cost' -r -f -a "auto\t'What the app noted, where it did; the prices otherwise'
calculate\t'The prices'
display\t'Only what the app noted'"
complete -c annals -n "__fish_annals_using_subcommand usage" -l prices -d 'Prices that come on top of the built-in ones: a TOML file' -r -F
complete -c annals -n "__fish_annals_using_subcommand usage" -l week-start -d 'The day weeks begin with' -r -f -a "monday\t''
tuesday\t''
wednesday\t''
thursday\t''
friday\t''
saturday\t''
sunday\t''"
complete -c annals -n "__fish_annals_using_subcommand usage" -l explain -d 'Show how the figures come about, or how one call was counted' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand usage" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand usage" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand usage" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand usage" -l exact -d 'With --project or --here: only that very folder'
complete -c annals -n "__fish_annals_using_subcommand usage" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand usage" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand usage" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand usage" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand usage" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand usage" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand usage" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand watch" -l last -d 'Begin with so many turns that are past; default: 2, as JSON none' -r
complete -c annals -n "__fish_annals_using_subcommand watch" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand watch" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand watch" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand watch" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand watch" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand watch" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand watch" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand watch" -l all -d 'Look on in every project'
complete -c annals -n "__fish_annals_using_subcommand watch" -l from-start -d 'Begin with everything that is past, of sub-agents too'
complete -c annals -n "__fish_annals_using_subcommand watch" -l full -d 'Show whole texts, not their beginnings'
complete -c annals -n "__fish_annals_using_subcommand watch" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand watch" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand watch" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand watch" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand watch" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand watch" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand watch" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand sql" -l timeout -d 'How long the query may take, in seconds' -r
complete -c annals -n "__fish_annals_using_subcommand sql" -l limit -d 'At most so many rows; 0 for all. Default: 20 on a terminal' -r
complete -c annals -n "__fish_annals_using_subcommand sql" -l memory -d 'How much memory bringing the index up to date may take, in MB' -r
complete -c annals -n "__fish_annals_using_subcommand sql" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand sql" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand sql" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand sql" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand sql" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand sql" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand sql" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand sql" -l schema -d 'Show the views and their columns'
complete -c annals -n "__fish_annals_using_subcommand sql" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand sql" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand sql" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand sql" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand sql" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand sql" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand sql" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand export" -l format -d 'Default: as the name of the file says, else md' -r -f -a "md\t'Markdown, for an issue or a wiki'
html\t'One HTML file, for a browser'
json\t'The conversation as a JSON document'
jsonl\t'The transcript\'s own lines'
txt\t'Plain text'
xml\t'Compact XML, for another model to read'"
complete -c annals -n "__fish_annals_using_subcommand export" -s o -l output -d 'The file, the folder, or - for standard output; default: the current folder' -r -F
complete -c annals -n "__fish_annals_using_subcommand export" -l view -d 'Whose rules find the conversation' -r -f -a "app\t'The app\'s, all generations'
sdk\t'The official reader\'s'"
complete -c annals -n "__fish_annals_using_subcommand export" -l agents -d 'Sub-agents: their conversations in place, a line each, or not at all' -r -f -a "inline\t'Their conversations, where they were started'
fold\t'A line each'
none\t'Not at all'"
complete -c annals -n "__fish_annals_using_subcommand export" -l tools -d 'How much of what tools did; default: brief in md and txt, full elsewhere (in html the first 12 and the last 4 kB of each output)' -r -f -a "full\t'Everything they were asked and answered'
brief\t'A line each, short changes, and the beginnings of what failed'
none\t'Nothing'"
complete -c annals -n "__fish_annals_using_subcommand export" -l keep -d 'Do not leave out what this rule names; may be given several times' -r -f -a "bookkeeping\t'snapshots, mode changes, hooks and listings'
agents\t'agents that only warmed up a cache or did nothing'
discovery\t'commands that only look for Claude\'s own transcripts'
docs\t'instructions that appeared before'
reads\t'files read again with the same result'
parameters\t'the middle of long arguments'
results\t'long results, except their beginning, end, errors and warnings'
echo\t'text that is repeated in the record of a call'
all\t'Everything: no rule is followed'"
complete -c annals -n "__fish_annals_using_subcommand export" -l max-tokens -d 'Cut into numbered files of at most so many tokens, at 4 bytes a token' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l alt -d 'The conversation as it would stand on a branch that was left behind, by its number' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l generation -d 'What was said before a compaction: 1 is the first generation' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l from -d 'From this turn' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l to -d 'To this turn' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l last -d 'Only the last so many turns' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l find -d 'Only turns that speak of this' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l project -d 'Only this project: the folder\'s repository with its worktrees and subdirectories' -r -F
complete -c annals -n "__fish_annals_using_subcommand export" -l since -d 'Not before this day: a date, `yesterday`, `3d`, `2w`; or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l until -d 'Not after this day' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l git-branch -d 'Only this git branch; `*` stands for anything' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l model -d 'Only where a model of this name answered' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l tool -d 'Only where this tool was called; `*` stands for anything' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand export" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand export" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand export" -l every -d 'Every session that the filters admit'
complete -c annals -n "__fish_annals_using_subcommand export" -l force -d 'Write over what is there'
complete -c annals -n "__fish_annals_using_subcommand export" -l no-thinking -d 'Leave out what the model thought'
complete -c annals -n "__fish_annals_using_subcommand export" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand export" -l exact -d 'With --project or --here: only that very folder'
complete -c annals -n "__fish_annals_using_subcommand export" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand export" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand export" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand export" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand export" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand export" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -f -a "sync" -d 'Keep what is new'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -f -a "ls" -d 'List what is kept'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -f -a "verify" -d 'Check that everything kept is whole'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -f -a "restore" -d 'Put a kept session back'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -f -a "export" -d 'Copy what is kept to another disk or machine'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -f -a "import" -d 'Bring in what another archive keeps'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -f -a "forget" -d 'Delete a session from the archive'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l max-age -d 'Do not keep, and take out, sessions that have not changed for so long: `400d`, `52w`' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l watch -d 'Stay, and keep what changes within a second'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l limit -d 'At most so many rows; 0 for all. Default: 20 on a terminal' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l gone -d 'Only sessions that are gone from disk'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l deep -d 'Also decompress every frame and check what it decompresses to'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l to -d 'Put it into this folder instead, laid out as a store' -r -F
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l version -d 'An earlier version of its transcript; annals archive ls SESSION lists them' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l yes -d 'Do not ask'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l keep-usage -d 'Let what it used go on counting: its calls stay, without any text'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand doctor" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand doctor" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand doctor" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand doctor" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand doctor" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand doctor" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand doctor" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand doctor" -l all -d 'Show all of each list, not only the beginning'
complete -c annals -n "__fish_annals_using_subcommand doctor" -l secrets -d 'List the sessions that hold secrets instead, and where they stand'
complete -c annals -n "__fish_annals_using_subcommand doctor" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand doctor" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand doctor" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand doctor" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand doctor" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand doctor" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand hook" -l within -d 'End after so many milliseconds, or as soon as what was told is noted' -r
complete -c annals -n "__fish_annals_using_subcommand hook" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand hook" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand hook" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand hook" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand hook" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand hook" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand hook" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand hook" -l recall -d 'At `SessionStart`, tell the agent what the latest sessions of this project were about: titles, typed prompts and names of plans'
complete -c annals -n "__fish_annals_using_subcommand hook" -l work -d 'Do what waits in the spool'
complete -c annals -n "__fish_annals_using_subcommand hook" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand hook" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand hook" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand hook" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand hook" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand hook" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand hook" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand statusline" -l then -d 'Run this command of a shell too, with the same input, and show what it writes above the line' -r
complete -c annals -n "__fish_annals_using_subcommand statusline" -l template -d 'What the line is made of' -r
complete -c annals -n "__fish_annals_using_subcommand statusline" -l separator -d 'What stands between its parts' -r
complete -c annals -n "__fish_annals_using_subcommand statusline" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand statusline" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand statusline" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand statusline" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand statusline" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand statusline" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand statusline" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand statusline" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand statusline" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand statusline" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand statusline" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand statusline" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand statusline" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand statusline" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand setup" -l only -d 'Only these parts. Repeatable' -r -f -a "hooks\t'Keep sessions when they end, are compacted, or are about to be deleted'
statusline\t'Model, context, cost and limits below the prompt; an existing line stays'
skill\t'Teach agents to recall earlier sessions'
cleanup\t'Transcripts stay for at least a year'
mcp\t'Earlier sessions as tools for agents'
timer\t'Keep the archive up to date every hour; only when asked for'"
complete -c annals -n "__fish_annals_using_subcommand setup" -l command -d 'The program to put in, as a link that stays when annals is updated; the one that runs otherwise' -r -F
complete -c annals -n "__fish_annals_using_subcommand setup" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand setup" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand setup" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand setup" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand setup" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand setup" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand setup" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand setup" -l yes -d 'Do not ask'
complete -c annals -n "__fish_annals_using_subcommand setup" -l dry-run -d 'Show what would change, and change nothing'
complete -c annals -n "__fish_annals_using_subcommand setup" -l remove -d 'Take out what was put in'
complete -c annals -n "__fish_annals_using_subcommand setup" -l timer -d 'Also a timer that keeps the archive up to date every hour'
complete -c annals -n "__fish_annals_using_subcommand setup" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand setup" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand setup" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand setup" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand setup" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand setup" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand setup" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand completions" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand completions" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand completions" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand completions" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand completions" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand completions" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand completions" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand completions" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand completions" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand completions" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand completions" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand completions" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand completions" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand man" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand man" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand man" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand man" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand man" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand man" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand man" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand man" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand man" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand man" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand man" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand man" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand man" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand reference" -l root -d 'Look in this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand reference" -l exclude -d 'Leave out working directories and transcripts that match. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand reference" -l alias -d 'A folder that moved, so that its old sessions count as the new one\'s. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand reference" -l session -d 'The session that is asking; it is marked as current' -r
complete -c annals -n "__fish_annals_using_subcommand reference" -l timezone -d 'The zone of times and days; the system\'s otherwise' -r
complete -c annals -n "__fish_annals_using_subcommand reference" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand reference" -l redact -d 'Mask secrets: the default for what is exported and for what an agent is told; `strict` masks e-mail addresses and names of homes too' -r -f -a "off\t'Nothing is'
on\t'What would let somebody in'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand reference" -l commands -d 'Only the names of the commands, one a line'
complete -c annals -n "__fish_annals_using_subcommand reference" -l sql -d 'The views that queries can be about instead, for docs/sql.md'
complete -c annals -n "__fish_annals_using_subcommand reference" -l demo -d 'Work on a small made-up store, to see what a command does'
complete -c annals -n "__fish_annals_using_subcommand reference" -l no-index -d 'Read transcripts even where the index remembers what they say'
complete -c annals -n "__fish_annals_using_subcommand reference" -l json -d 'Answer with one JSON document'
complete -c annals -n "__fish_annals_using_subcommand reference" -l jsonl -d 'Answer with one JSON object a line'
complete -c annals -n "__fish_annals_using_subcommand reference" -l csv -d 'Answer with rows for a spreadsheet'
complete -c annals -n "__fish_annals_using_subcommand reference" -l no-pager -d 'Do not send long text to a pager'
complete -c annals -n "__fish_annals_using_subcommand reference" -s h -l help -d 'Print help (see more with \'--help\')'
