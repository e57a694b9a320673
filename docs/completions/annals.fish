# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_annals_global_optspecs
    string join \n root= app= demo exclude= alias= current-session= no-index json jsonl csv timezone= color= redact= no-pager h/help V/version
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

complete -c annals -n "__fish_annals_needs_command" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_needs_command" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_needs_command" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_needs_command" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_needs_command" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_needs_command" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_needs_command" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_needs_command" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_needs_command" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_needs_command" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_needs_command" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_needs_command" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_needs_command" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_needs_command" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_needs_command" -s V -l version -d 'Print version'
complete -c annals -n "__fish_annals_needs_command" -f -a "ls" -d 'List sessions, newest first'
complete -c annals -n "__fish_annals_needs_command" -f -a "projects" -d 'List projects, the last used first'
complete -c annals -n "__fish_annals_needs_command" -f -a "where" -d 'Show where Claude Code stores the sessions of a folder'
complete -c annals -n "__fish_annals_needs_command" -f -a "info" -d 'Show the details of a session'
complete -c annals -n "__fish_annals_needs_command" -f -a "show" -d 'Show a session as a conversation'
complete -c annals -n "__fish_annals_needs_command" -f -a "search" -d 'Search all sessions by words'
complete -c annals -n "__fish_annals_needs_command" -f -a "grep" -d 'Search all text for a pattern, without an index'
complete -c annals -n "__fish_annals_needs_command" -f -a "files" -d 'Show which files sessions read and changed'
complete -c annals -n "__fish_annals_needs_command" -f -a "prompts" -d 'Show only what you typed'
complete -c annals -n "__fish_annals_needs_command" -f -a "tree" -d 'Show the structure of a session: branches, compactions, agents, forks'
complete -c annals -n "__fish_annals_needs_command" -f -a "tools" -d 'Show tool calls and their results'
complete -c annals -n "__fish_annals_needs_command" -f -a "agents" -d 'Show the sub-agents and workflows of a session as a tree'
complete -c annals -n "__fish_annals_needs_command" -f -a "plan" -d 'Show the plan of a session'
complete -c annals -n "__fish_annals_needs_command" -f -a "context" -d 'Show what fills the context window of a session'
complete -c annals -n "__fish_annals_needs_command" -f -a "mark" -d 'Bookmark a session or turn, or list bookmarks'
complete -c annals -n "__fish_annals_needs_command" -f -a "mcp" -d 'Serve past sessions to agents over the Model Context Protocol'
complete -c annals -n "__fish_annals_needs_command" -f -a "rename" -d 'Set the title of a session'
complete -c annals -n "__fish_annals_needs_command" -f -a "resume" -d 'Resume a session in Claude Code, or in the app that wrote it'
complete -c annals -n "__fish_annals_needs_command" -f -a "tag" -d 'Show, set or remove the tag of a session'
complete -c annals -n "__fish_annals_needs_command" -f -a "tui" -d 'Browse, search and resume sessions in the terminal'
complete -c annals -n "__fish_annals_needs_command" -f -a "pick" -d 'Choose a session and print its id'
complete -c annals -n "__fish_annals_needs_command" -f -a "usage" -d 'Show tokens and cost'
complete -c annals -n "__fish_annals_needs_command" -f -a "watch" -d 'Follow sessions live'
complete -c annals -n "__fish_annals_needs_command" -f -a "web" -d 'Open the web app: sessions, search and usage in the browser'
complete -c annals -n "__fish_annals_needs_command" -f -a "serve" -d 'Serve the web app without opening a browser'
complete -c annals -n "__fish_annals_needs_command" -f -a "sql" -d 'Query the index with SQL'
complete -c annals -n "__fish_annals_needs_command" -f -a "export" -d 'Export sessions as HTML, Markdown, XML, JSON or text'
complete -c annals -n "__fish_annals_needs_command" -f -a "archive" -d 'Back up sessions, and restore them'
complete -c annals -n "__fish_annals_needs_command" -f -a "lake" -d 'Share usage and sessions with a team'
complete -c annals -n "__fish_annals_needs_command" -f -a "doctor" -d 'Check every store for problems'
complete -c annals -n "__fish_annals_needs_command" -f -a "hook" -d 'Archive sessions from Claude Code\'s hooks'
complete -c annals -n "__fish_annals_needs_command" -f -a "statusline" -d 'Show model, context, cost, limits and branch in Claude Code\'s status line'
complete -c annals -n "__fish_annals_needs_command" -f -a "setup" -d 'Install annals in Claude Code, or remove it'
complete -c annals -n "__fish_annals_needs_command" -f -a "completions" -d 'Print shell completions'
complete -c annals -n "__fish_annals_needs_command" -f -a "man" -d 'Print a manual page'
complete -c annals -n "__fish_annals_needs_command" -f -a "help" -d 'Print the help of annals or of a command'
complete -c annals -n "__fish_annals_needs_command" -f -a "reference" -d 'Print the reference of the command line'
complete -c annals -n "__fish_annals_using_subcommand ls" -s p -l project -d 'Only this project: a name or part of one, or a path, with the worktrees and subdirectories of the repository there' -r -F
complete -c annals -n "__fish_annals_using_subcommand ls" -s s -l since -d 'Only from this day on: YYYY-MM-DD, `yesterday`, `3d`, `2w`, or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -s u -l until -d 'Only up to this day, inclusive' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l git-branch -d 'Only this git branch; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l model -d 'Only where this model answered (part of its name)' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l tool -d 'Only where this tool was called; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l session -d 'Only this session: its id, a prefix of it, @ or a word of its title' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -s n -l limit -d 'Show at most N rows (0 = all) [default: 20 on a terminal]' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l tag -d 'Only sessions with this tag' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l lake -d 'Read the team lake instead of this machine: your own rows (the default), those shared with a team, or those shared with everyone' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand ls" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand ls" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand ls" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand ls" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand ls" -l exact -d 'With --project or --here: only this exact folder'
complete -c annals -n "__fish_annals_using_subcommand ls" -l hidden -d 'Also show sessions that Claude Code hides, and why'
complete -c annals -n "__fish_annals_using_subcommand ls" -l deleted -d 'Show sessions deleted from disk: those in the archive, and those known only from the prompt history'
complete -c annals -n "__fish_annals_using_subcommand ls" -l no-programmatic -d 'Hide sessions that a program started'
complete -c annals -n "__fish_annals_using_subcommand ls" -l marked -d 'Only sessions with a mark'
complete -c annals -n "__fish_annals_using_subcommand ls" -l cost -d 'Also show what each session cost at API prices, sub-agents included'
complete -c annals -n "__fish_annals_using_subcommand ls" -l live -d 'Show the sessions that are running'
complete -c annals -n "__fish_annals_using_subcommand ls" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand ls" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand ls" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand ls" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand ls" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand ls" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand ls" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand projects" -s p -l project -d 'Only this project: a name or part of one, or a path, with the worktrees and subdirectories of the repository there' -r -F
complete -c annals -n "__fish_annals_using_subcommand projects" -s s -l since -d 'Only from this day on: YYYY-MM-DD, `yesterday`, `3d`, `2w`, or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -s u -l until -d 'Only up to this day, inclusive' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l git-branch -d 'Only this git branch; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l model -d 'Only where this model answered (part of its name)' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l tool -d 'Only where this tool was called; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l session -d 'Only this session: its id, a prefix of it, @ or a word of its title' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -s n -l limit -d 'Show at most N rows (0 = all) [default: 20 on a terminal]' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand projects" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand projects" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand projects" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand projects" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand projects" -l exact -d 'With --project or --here: only this exact folder'
complete -c annals -n "__fish_annals_using_subcommand projects" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand projects" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand projects" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand projects" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand projects" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand projects" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand projects" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand where" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand where" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand where" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand where" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand where" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand where" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand where" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand where" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand where" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand where" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand where" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand where" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand where" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand where" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand where" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand info" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand info" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand info" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand info" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand info" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand info" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand info" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand info" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand info" -l pick -d 'Choose the session from a list'
complete -c annals -n "__fish_annals_using_subcommand info" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand info" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand info" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand info" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand info" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand info" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand info" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand show" -l view -d 'What to show [default: app]' -r -f -a "app\t'The conversation as Claude Code shows it on resume'
sdk\t'The conversation as the official SDK returns it'
all\t'Every record in file order'"
complete -c annals -n "__fish_annals_using_subcommand show" -l abandoned -d 'Show abandoned branch N instead of the current conversation' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l generation -d 'Show generation N: 1 is the part before the first compaction' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l agents -d 'How to show sub-agents [default: fold]' -r -f -a "inline\t'Whole conversations, at the calls that started them'
fold\t'One line each, at the calls that started them'
none\t'Hidden'
flat\t'The session and its sub-agents merged by time'"
complete -c annals -n "__fish_annals_using_subcommand show" -l tools -d 'How much of the tool calls to show [default: brief]' -r -f -a "full\t'Complete arguments and results'
brief\t'One line each, short diffs, and the beginning of errors'
none\t'Hidden'"
complete -c annals -n "__fish_annals_using_subcommand show" -l from -d 'Start at this turn' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l to -d 'End at this turn' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l last -d 'Only the last N turns' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l find -d 'Only turns that contain TEXT' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l line -d 'Show the turn that has line N of the transcript' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l around -d 'Show the turn of the message with this uuid, and the turns before and after it' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l type -d 'Only records of this type. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l since -d 'Only from this time on, by the record\'s own time' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l until -d 'Only up to this time' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l limit -d 'Show at most N records (0 = all)' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l lake -d 'Read the team lake instead of this machine: your own rows (the default), those shared with a team, or those shared with everyone' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand show" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand show" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand show" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand show" -l pick -d 'Choose the session from a list'
complete -c annals -n "__fish_annals_using_subcommand show" -l thinking -d 'Show thinking'
complete -c annals -n "__fish_annals_using_subcommand show" -l raw -d 'Print the unchanged bytes of the transcript'
complete -c annals -n "__fish_annals_using_subcommand show" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand show" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand show" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand show" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand show" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand show" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand search" -l sort -d 'Sort order' -r -f -a "score\t'Best match first'
time\t'Newest first'"
complete -c annals -n "__fish_annals_using_subcommand search" -s C -l context -d 'Show N messages before and after each hit' -r
complete -c annals -n "__fish_annals_using_subcommand search" -s p -l project -d 'Only this project: a name or part of one, or a path, with the worktrees and subdirectories of the repository there' -r -F
complete -c annals -n "__fish_annals_using_subcommand search" -s s -l since -d 'Only from this day on: YYYY-MM-DD, `yesterday`, `3d`, `2w`, or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand search" -s u -l until -d 'Only up to this day, inclusive' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l git-branch -d 'Only this git branch; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l model -d 'Only where this model answered (part of its name)' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l tool -d 'Only where this tool was called; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l session -d 'Only this session: its id, a prefix of it, @ or a word of its title' -r
complete -c annals -n "__fish_annals_using_subcommand search" -s n -l limit -d 'Show at most N rows (0 = all) [default: 20 on a terminal]' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l offset -d 'Skip the first N hits; JSON output has the next value as `next`' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l memory -d 'Memory limit for updating the index, in MB' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l lake -d 'Read the team lake instead of this machine: your own rows (the default), those shared with a team, or those shared with everyone' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand search" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand search" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand search" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand search" -l hits -d 'Show hits one by one instead of by session'
complete -c annals -n "__fish_annals_using_subcommand search" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand search" -l exact -d 'With --project or --here: only this exact folder'
complete -c annals -n "__fish_annals_using_subcommand search" -l wait -d 'Show nothing before the index is complete, on a terminal too'
complete -c annals -n "__fish_annals_using_subcommand search" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand search" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand search" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand search" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand search" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand search" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand search" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand grep" -s e -l regexp -d 'Another pattern: text that matches any of them is a hit. Repeatable; for a pattern that begins with -' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -s C -l context -d 'Show N lines of context around each match' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -s B -l before-context -d 'Show N lines before each match [default: those of -C]' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -s A -l after-context -d 'Show N lines after each match [default: those of -C]' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l role -d 'Search only text of this role. Repeatable' -r -f -a "user\t'Prompts'
assistant\t'Answers'
thinking\t'Thinking'
tool_use\t'Tool calls'
tool_result\t'Tool results'
summary\t'Summaries of compactions and sessions'
system\t'System messages of Claude Code'
attachment\t'Context that Claude Code added'
queued\t'Prompts typed while the model worked'
title\t'Titles and tags'
plan\t'Plans stored in files'"
complete -c annals -n "__fish_annals_using_subcommand grep" -s p -l project -d 'Only this project: a name or part of one, or a path, with the worktrees and subdirectories of the repository there' -r -F
complete -c annals -n "__fish_annals_using_subcommand grep" -s s -l since -d 'Only from this day on: YYYY-MM-DD, `yesterday`, `3d`, `2w`, or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -s u -l until -d 'Only up to this day, inclusive' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l git-branch -d 'Only this git branch; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l model -d 'Only where this model answered (part of its name)' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l tool -d 'Only where this tool was called; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l session -d 'Only this session: its id, a prefix of it, @ or a word of its title' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -s n -l limit -d 'Show at most N rows (0 = all) [default: 20 on a terminal]' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand grep" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand grep" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand grep" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand grep" -s i -l ignore-case -d 'Ignore case'
complete -c annals -n "__fish_annals_using_subcommand grep" -s F -l fixed-strings -d 'Treat the pattern as plain text, not as a regular expression'
complete -c annals -n "__fish_annals_using_subcommand grep" -s w -l word-regexp -d 'Match whole words only'
complete -c annals -n "__fish_annals_using_subcommand grep" -s v -l invert-match -d 'Show the lines that do not match'
complete -c annals -n "__fish_annals_using_subcommand grep" -s o -l only-matching -d 'Show only the matching parts, one a line'
complete -c annals -n "__fish_annals_using_subcommand grep" -s l -l sessions -d 'List matching sessions only; in a pipe, one id a line'
complete -c annals -n "__fish_annals_using_subcommand grep" -s c -l count -d 'Count the hits per session only'
complete -c annals -n "__fish_annals_using_subcommand grep" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand grep" -l exact -d 'With --project or --here: only this exact folder'
complete -c annals -n "__fish_annals_using_subcommand grep" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand grep" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand grep" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand grep" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand grep" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand grep" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand grep" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand files" -l blame -d 'Show the session and prompt that last wrote each line of this file, as far as the recorded changes explain it' -r -F
complete -c annals -n "__fish_annals_using_subcommand files" -l commit -d 'Show the session and prompts behind a commit (at least 4 digits of its hash)' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l map -d 'Treat file or folder OLD as NEW, because it moved. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand files" -s p -l project -d 'Only this project: a name or part of one, or a path, with the worktrees and subdirectories of the repository there' -r -F
complete -c annals -n "__fish_annals_using_subcommand files" -s s -l since -d 'Only from this day on: YYYY-MM-DD, `yesterday`, `3d`, `2w`, or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand files" -s u -l until -d 'Only up to this day, inclusive' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l git-branch -d 'Only this git branch; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l model -d 'Only where this model answered (part of its name)' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l tool -d 'Only where this tool was called; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l session -d 'Only this session: its id, a prefix of it, @ or a word of its title' -r
complete -c annals -n "__fish_annals_using_subcommand files" -s n -l limit -d 'Show at most N rows (0 = all) [default: 20 on a terminal]' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l offset -d 'Skip the first N rows; JSON output has the next value as `next`' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l lake -d 'Read the team lake instead of this machine: your own rows (the default), those shared with a team, or those shared with everyone' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand files" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand files" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand files" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand files" -l reads -d 'With a file: also list reads'
complete -c annals -n "__fish_annals_using_subcommand files" -l no-diff -d 'With a file: omit the diffs'
complete -c annals -n "__fish_annals_using_subcommand files" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand files" -l exact -d 'With --project or --here: only this exact folder'
complete -c annals -n "__fish_annals_using_subcommand files" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand files" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand files" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand files" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand files" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand files" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand files" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand prompts" -s p -l project -d 'Only this project: a name or part of one, or a path, with the worktrees and subdirectories of the repository there' -r -F
complete -c annals -n "__fish_annals_using_subcommand prompts" -s s -l since -d 'Only from this day on: YYYY-MM-DD, `yesterday`, `3d`, `2w`, or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -s u -l until -d 'Only up to this day, inclusive' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l git-branch -d 'Only this git branch; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l model -d 'Only where this model answered (part of its name)' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l tool -d 'Only where this tool was called; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l session -d 'Only this session: its id, a prefix of it, @ or a word of its title' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -s n -l limit -d 'Show at most N rows (0 = all) [default: 20 on a terminal]' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand prompts" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand prompts" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand prompts" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand prompts" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand prompts" -l exact -d 'With --project or --here: only this exact folder'
complete -c annals -n "__fish_annals_using_subcommand prompts" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand prompts" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand prompts" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand prompts" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand prompts" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand prompts" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand prompts" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand tree" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand tree" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand tree" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand tree" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand tree" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand tree" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand tree" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand tree" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand tree" -l pick -d 'Choose the session from a list'
complete -c annals -n "__fish_annals_using_subcommand tree" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand tree" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand tree" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand tree" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand tree" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand tree" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand tree" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand tools" -s p -l project -d 'Only this project: a name or part of one, or a path, with the worktrees and subdirectories of the repository there' -r -F
complete -c annals -n "__fish_annals_using_subcommand tools" -s s -l since -d 'Only from this day on: YYYY-MM-DD, `yesterday`, `3d`, `2w`, or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -s u -l until -d 'Only up to this day, inclusive' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l git-branch -d 'Only this git branch; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l model -d 'Only where this model answered (part of its name)' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l tool -d 'Only where this tool was called; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l session -d 'Only this session: its id, a prefix of it, @ or a word of its title' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -s n -l limit -d 'Show at most N rows (0 = all) [default: 20 on a terminal]' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l offset -d 'Skip the first N calls; JSON output has the next value as `next`' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l status -d 'Only calls with this status. Repeatable' -r -f -a "ok\t'Succeeded'
error\t'The tool failed'
denied\t'Permission was denied'
interrupted\t'The user interrupted it'
missing\t'No result was recorded'"
complete -c annals -n "__fish_annals_using_subcommand tools" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand tools" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand tools" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand tools" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand tools" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand tools" -l exact -d 'With --project or --here: only this exact folder'
complete -c annals -n "__fish_annals_using_subcommand tools" -l errors -d 'Only failed calls: error, denied, interrupted'
complete -c annals -n "__fish_annals_using_subcommand tools" -l stats -d 'Show statistics'
complete -c annals -n "__fish_annals_using_subcommand tools" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand tools" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand tools" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand tools" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand tools" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand tools" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand tools" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand agents" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand agents" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand agents" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand agents" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand agents" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand agents" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand agents" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand agents" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand agents" -l warmup -d 'Also show warm-up agents'
complete -c annals -n "__fish_annals_using_subcommand agents" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand agents" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand agents" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand agents" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand agents" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand agents" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand agents" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand plan" -l number -d 'Show this version instead of the latest' -r
complete -c annals -n "__fish_annals_using_subcommand plan" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand plan" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand plan" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand plan" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand plan" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand plan" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand plan" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand plan" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand plan" -l versions -d 'List all versions'
complete -c annals -n "__fish_annals_using_subcommand plan" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand plan" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand plan" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand plan" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand plan" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand plan" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand plan" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand context" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand context" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand context" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand context" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand context" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand context" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand context" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand context" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand context" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand context" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand context" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand context" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand context" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand context" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand context" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand mark" -l remove -d 'Remove a mark, by its id or its place' -r
complete -c annals -n "__fish_annals_using_subcommand mark" -s n -l limit -d 'Show at most N rows (0 = all) [default: 20 on a terminal]' -r
complete -c annals -n "__fish_annals_using_subcommand mark" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand mark" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand mark" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand mark" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand mark" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand mark" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand mark" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand mark" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand mark" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand mark" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand mark" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand mark" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand mark" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand mark" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand mark" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand mcp" -l scope -d 'Which sessions agents can see' -r -f -a "project\t'The sessions of the project of the working directory'
all\t'All sessions'"
complete -c annals -n "__fish_annals_using_subcommand mcp" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand mcp" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand mcp" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand mcp" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand mcp" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand mcp" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand mcp" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand mcp" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand mcp" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand mcp" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand mcp" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand mcp" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand mcp" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand mcp" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand mcp" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand rename" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand rename" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand rename" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand rename" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand rename" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand rename" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand rename" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand rename" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand rename" -l force -d 'Rename it even if the session is running'
complete -c annals -n "__fish_annals_using_subcommand rename" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand rename" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand rename" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand rename" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand rename" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand rename" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand rename" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand resume" -l in -d 'Resume in this folder instead' -r -F
complete -c annals -n "__fish_annals_using_subcommand resume" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand resume" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand resume" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand resume" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand resume" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand resume" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand resume" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand resume" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand resume" -l print -d 'Print the command and do not run it'
complete -c annals -n "__fish_annals_using_subcommand resume" -l fork -d 'Resume a copy of the session with a new id'
complete -c annals -n "__fish_annals_using_subcommand resume" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand resume" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand resume" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand resume" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand resume" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand resume" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand resume" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand tag" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand tag" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand tag" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand tag" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand tag" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand tag" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand tag" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand tag" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand tag" -l remove -d 'Remove the tag'
complete -c annals -n "__fish_annals_using_subcommand tag" -l force -d 'Even if the session is running'
complete -c annals -n "__fish_annals_using_subcommand tag" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand tag" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand tag" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand tag" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand tag" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand tag" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand tag" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand tui" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand tui" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand tui" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand tui" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand tui" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand tui" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand tui" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand tui" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand tui" -s a -l all-projects -d 'Begin with the sessions of all projects'
complete -c annals -n "__fish_annals_using_subcommand tui" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand tui" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand tui" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand tui" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand tui" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand tui" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand tui" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand pick" -l print -d 'What to print' -r -f -a "id\t'Its id'
command\t'The command that resumes it'
path\t'The path of its transcript'
json\t'Its metadata as JSON'"
complete -c annals -n "__fish_annals_using_subcommand pick" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand pick" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand pick" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand pick" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand pick" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand pick" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand pick" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand pick" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand pick" -l multi -d 'Choose several sessions with Ctrl-X; prints one line for each'
complete -c annals -n "__fish_annals_using_subcommand pick" -s a -l all-projects -d 'Begin with the sessions of all projects'
complete -c annals -n "__fish_annals_using_subcommand pick" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand pick" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand pick" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand pick" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand pick" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand pick" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand pick" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand usage" -l by -d 'Group by these dimensions instead, the coarsest first' -r -f -a "day\t''
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
block\t''
app\t''
owner\t''
team\t''
cost_center\t''"
complete -c annals -n "__fish_annals_using_subcommand usage" -s p -l project -d 'Only this project: a name or part of one, or a path, with the worktrees and subdirectories of the repository there' -r -F
complete -c annals -n "__fish_annals_using_subcommand usage" -s s -l since -d 'Only from this day on: YYYY-MM-DD, `yesterday`, `3d`, `2w`, or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -s u -l until -d 'Only up to this day, inclusive' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l git-branch -d 'Only this git branch; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l model -d 'Only where this model answered (part of its name)' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l tool -d 'Only where this tool was called; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l session -d 'Only this session: its id, a prefix of it, @ or a word of its title' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -s n -l limit -d 'Show at most N rows (0 = all) [default: 20 on a terminal]' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l cost -d 'Where costs come from: logged or calculated' -r -f -a "auto\t'The cost that Claude Code logged, otherwise calculated from prices'
calculate\t'Calculated from prices'
display\t'Only what Claude Code logged'"
complete -c annals -n "__fish_annals_using_subcommand usage" -l prices -d 'A TOML file with additional prices' -r -F
complete -c annals -n "__fish_annals_using_subcommand usage" -l week-start -d 'First day of the week' -r -f -a "monday\t''
tuesday\t''
wednesday\t''
thursday\t''
friday\t''
saturday\t''
sunday\t''"
complete -c annals -n "__fish_annals_using_subcommand usage" -l explain -d 'Explain how the figures, or those of one call, are calculated' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l budget -d 'Set a budget in US dollars for this call: day=20, week=100 or month=300' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l lake -d 'Read the team lake instead of this machine: your own rows (the default), those shared with a team, or those shared with everyone' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l teams -d 'With --lake: a CSV file with teams and cost centers of projects and owners [default: lake.teams]' -r -F
complete -c annals -n "__fish_annals_using_subcommand usage" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand usage" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand usage" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand usage" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand usage" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand usage" -l exact -d 'With --project or --here: only this exact folder'
complete -c annals -n "__fish_annals_using_subcommand usage" -l heatmap -d 'Show a calendar with a cell for each day, shaded by its cost'
complete -c annals -n "__fish_annals_using_subcommand usage" -l check -d 'Show only the budgets, and exit with code 3 if one of them is exceeded'
complete -c annals -n "__fish_annals_using_subcommand usage" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand usage" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand usage" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand usage" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand usage" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand usage" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand usage" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand watch" -l last -d 'Start with the last N turns [default: 2; with JSON, none]' -r
complete -c annals -n "__fish_annals_using_subcommand watch" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand watch" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand watch" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand watch" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand watch" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand watch" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand watch" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand watch" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand watch" -l all -d 'Follow all projects'
complete -c annals -n "__fish_annals_using_subcommand watch" -l from-start -d 'Start with everything so far, including sub-agents'
complete -c annals -n "__fish_annals_using_subcommand watch" -l full -d 'Do not shorten texts'
complete -c annals -n "__fish_annals_using_subcommand watch" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand watch" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand watch" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand watch" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand watch" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand watch" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand watch" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand web" -l port -d 'The port [default: 7717, or a free one if that is taken]' -r
complete -c annals -n "__fish_annals_using_subcommand web" -s p -l project -d 'Only this project: a name or part of one, or a path, with the worktrees and subdirectories of the repository there' -r -F
complete -c annals -n "__fish_annals_using_subcommand web" -s s -l since -d 'Only from this day on: YYYY-MM-DD, `yesterday`, `3d`, `2w`, or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand web" -s u -l until -d 'Only up to this day, inclusive' -r
complete -c annals -n "__fish_annals_using_subcommand web" -l git-branch -d 'Only this git branch; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand web" -l model -d 'Only where this model answered (part of its name)' -r
complete -c annals -n "__fish_annals_using_subcommand web" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand web" -l tool -d 'Only where this tool was called; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand web" -l session -d 'Only this session: its id, a prefix of it, @ or a word of its title' -r
complete -c annals -n "__fish_annals_using_subcommand web" -l assets -d 'Read app.js and app.css from this folder' -r -F
complete -c annals -n "__fish_annals_using_subcommand web" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand web" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand web" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand web" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand web" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand web" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand web" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand web" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand web" -l no-open -d 'Print the address instead of opening a browser'
complete -c annals -n "__fish_annals_using_subcommand web" -l read-only -d 'Offer no actions: no bookmarks, titles, tags, archive sync or restore'
complete -c annals -n "__fish_annals_using_subcommand web" -l reveal -d 'Show secrets. Not for agents'
complete -c annals -n "__fish_annals_using_subcommand web" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand web" -l exact -d 'With --project or --here: only this exact folder'
complete -c annals -n "__fish_annals_using_subcommand web" -l exit-after-start -d 'Start, and stop at once: checks that everything a server needs is there'
complete -c annals -n "__fish_annals_using_subcommand web" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand web" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand web" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand web" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand web" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand web" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand web" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand serve" -l port -d 'The port [default: 7717, or a free one if that is taken]' -r
complete -c annals -n "__fish_annals_using_subcommand serve" -s p -l project -d 'Only this project: a name or part of one, or a path, with the worktrees and subdirectories of the repository there' -r -F
complete -c annals -n "__fish_annals_using_subcommand serve" -s s -l since -d 'Only from this day on: YYYY-MM-DD, `yesterday`, `3d`, `2w`, or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand serve" -s u -l until -d 'Only up to this day, inclusive' -r
complete -c annals -n "__fish_annals_using_subcommand serve" -l git-branch -d 'Only this git branch; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand serve" -l model -d 'Only where this model answered (part of its name)' -r
complete -c annals -n "__fish_annals_using_subcommand serve" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand serve" -l tool -d 'Only where this tool was called; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand serve" -l session -d 'Only this session: its id, a prefix of it, @ or a word of its title' -r
complete -c annals -n "__fish_annals_using_subcommand serve" -l assets -d 'Read app.js and app.css from this folder' -r -F
complete -c annals -n "__fish_annals_using_subcommand serve" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand serve" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand serve" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand serve" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand serve" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand serve" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand serve" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand serve" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand serve" -l read-only -d 'Offer no actions: no bookmarks, titles, tags, archive sync or restore'
complete -c annals -n "__fish_annals_using_subcommand serve" -l reveal -d 'Show secrets. Not for agents'
complete -c annals -n "__fish_annals_using_subcommand serve" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand serve" -l exact -d 'With --project or --here: only this exact folder'
complete -c annals -n "__fish_annals_using_subcommand serve" -l exit-after-start -d 'Start, and stop at once: checks that everything a server needs is there'
complete -c annals -n "__fish_annals_using_subcommand serve" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand serve" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand serve" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand serve" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand serve" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand serve" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand serve" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand sql" -l timeout -d 'Time limit for the query, in seconds' -r
complete -c annals -n "__fish_annals_using_subcommand sql" -s n -l limit -d 'Show at most N rows (0 = all) [default: 20 on a terminal]' -r
complete -c annals -n "__fish_annals_using_subcommand sql" -l memory -d 'Memory limit for updating the index, in MB' -r
complete -c annals -n "__fish_annals_using_subcommand sql" -l lake -d 'Read the team lake instead of this machine: your own rows (the default), those shared with a team, or those shared with everyone' -r
complete -c annals -n "__fish_annals_using_subcommand sql" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand sql" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand sql" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand sql" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand sql" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand sql" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand sql" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand sql" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand sql" -l schema -d 'Show the views and their columns'
complete -c annals -n "__fish_annals_using_subcommand sql" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand sql" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand sql" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand sql" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand sql" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand sql" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand sql" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand export" -l format -d 'The format [default: by the file name, otherwise md]' -r -f -a "md\t'Markdown, for an issue or a wiki'
html\t'One HTML file, for a browser'
json\t'The conversation as a JSON document'
jsonl\t'The transcript\'s own lines'
txt\t'Plain text'
xml\t'Compact XML, for another model to read'"
complete -c annals -n "__fish_annals_using_subcommand export" -s o -l output -d 'The target file or folder, or - for standard output [default: the current folder]' -r -F
complete -c annals -n "__fish_annals_using_subcommand export" -l view -d 'Which conversation to export' -r -f -a "app\t'As Claude Code shows it, with all generations'
sdk\t'As the official SDK returns it'"
complete -c annals -n "__fish_annals_using_subcommand export" -l agents -d 'How to show sub-agents' -r -f -a "inline\t'Whole conversations, at the calls that started them'
fold\t'One line each'
none\t'Hidden'"
complete -c annals -n "__fish_annals_using_subcommand export" -l tools -d 'How much of the tool calls to include [default: brief in md and txt, otherwise full (html: the first 12 and the last 4 kB of each output)]' -r -f -a "full\t'Complete arguments and results'
brief\t'One line each, short diffs, and the beginning of errors'
none\t'Hidden'"
complete -c annals -n "__fish_annals_using_subcommand export" -l keep -d 'Do not shorten this: RULE names what stays complete. Repeatable' -r -f -a "bookkeeping\t'snapshots, mode changes, hooks and listings'
agents\t'agents that only warmed up a cache or did nothing'
discovery\t'commands that only look for Claude\'s own transcripts'
docs\t'instructions that appeared before'
reads\t'files read again with the same result'
parameters\t'the middle of long arguments'
results\t'long results, except their beginning, end, errors and warnings'
echo\t'text that is repeated in the record of a call'
all\t'Everything'"
complete -c annals -n "__fish_annals_using_subcommand export" -l max-tokens -d 'Split into numbered files of at most N tokens (4 bytes count as a token)' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l abandoned -d 'Show abandoned branch N instead of the current conversation' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l generation -d 'Show generation N: 1 is the part before the first compaction' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l from -d 'Start at this turn' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l to -d 'End at this turn' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l last -d 'Only the last N turns' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l find -d 'Only turns that contain TEXT' -r
complete -c annals -n "__fish_annals_using_subcommand export" -s p -l project -d 'Only this project: a name or part of one, or a path, with the worktrees and subdirectories of the repository there' -r -F
complete -c annals -n "__fish_annals_using_subcommand export" -s s -l since -d 'Only from this day on: YYYY-MM-DD, `yesterday`, `3d`, `2w`, or `12h`' -r
complete -c annals -n "__fish_annals_using_subcommand export" -s u -l until -d 'Only up to this day, inclusive' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l git-branch -d 'Only this git branch; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l model -d 'Only where this model answered (part of its name)' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l agent -d 'Only where a sub-agent of this type worked' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l tool -d 'Only where this tool was called; `*` matches anything' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l session -d 'Only this session: its id, a prefix of it, @ or a word of its title' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand export" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand export" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand export" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand export" -l pick -d 'Choose the sessions from a list'
complete -c annals -n "__fish_annals_using_subcommand export" -l all -d 'Export every session that matches the filters'
complete -c annals -n "__fish_annals_using_subcommand export" -l force -d 'Overwrite existing files'
complete -c annals -n "__fish_annals_using_subcommand export" -l open -d 'Open the result in the browser (as HTML, unless another format is chosen)'
complete -c annals -n "__fish_annals_using_subcommand export" -l no-thinking -d 'Omit thinking'
complete -c annals -n "__fish_annals_using_subcommand export" -l here -d 'Only the project of the current folder'
complete -c annals -n "__fish_annals_using_subcommand export" -l exact -d 'With --project or --here: only this exact folder'
complete -c annals -n "__fish_annals_using_subcommand export" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand export" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand export" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand export" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand export" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand export" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -f -a "sync" -d 'Back up new and changed sessions'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -f -a "ls" -d 'List the archive'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -f -a "verify" -d 'Verify the archive'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -f -a "restore" -d 'Restore a session from the archive'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -f -a "export" -d 'Copy the archive to another disk or machine'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -f -a "import" -d 'Import another archive'
complete -c annals -n "__fish_annals_using_subcommand archive; and not __fish_seen_subcommand_from sync ls verify restore export import forget" -f -a "forget" -d 'Delete a session from the archive'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l max-age -d 'Skip sessions that have not changed for AGE, and remove them from the archive: `400d`, `52w`' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l watch -d 'Keep running, and back up changes within a second'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from sync" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -s n -l limit -d 'Show at most N rows (0 = all) [default: 20 on a terminal]' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l deleted -d 'Only sessions deleted from disk'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from ls" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l deep -d 'Also decompress every frame and verify its content'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l to -d 'Restore into this folder instead, laid out as a store' -r -F
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l version -d 'Restore version N of the transcript (`annals archive ls SESSION` lists them)' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from restore" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from import" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l yes -d 'Do not ask for confirmation'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l keep-usage -d 'Keep counting its usage: its API calls stay, without any text'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand archive; and __fish_seen_subcommand_from forget" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -f -a "init" -d 'Configure a lake and say what would leave this machine'
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -f -a "push" -d 'Send what is new and shared, and take back what is not'
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -f -a "status" -d 'Show what is configured, what is in the lake, and who can read it'
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -f -a "share" -d 'Share the text of a session'
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -f -a "unshare" -d 'Stop sharing a session: its text is for you alone'
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -f -a "forget" -d 'Remove a session from the lake for ever'
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -f -a "expire" -d 'Delete rows of old months from the lake'
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -f -a "leave" -d 'Delete everything of yours from the lake, and the configuration'
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -f -a "verify" -d 'Compare every object with its manifest, and this machine with the lake'
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -f -a "report" -d 'Write a month\'s usage of the team as a web page'
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -f -a "catalog" -d 'Print views with which DuckDB, Spark or ClickHouse read the lake'
complete -c annals -n "__fish_annals_using_subcommand lake; and not __fish_seen_subcommand_from init push status share unshare forget expire leave verify report catalog load" -f -a "load" -d 'Fill ClickHouse from the lake'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l owner -d 'Your name in the lake, as the storage knows you [default: your account]' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l project -d 'A folder whose sessions may leave, as a glob: \'~/work/**\'. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l level -d 'How much of each session may leave' -r -f -a "usage\t'Tokens, costs, models, times'
metadata\t'Also tools, files, commits, branches, names of agents and skills'
text\t'Also masked text'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l print-policy -d 'Print policies for the bucket and do nothing else' -r -f -a "aws\t'Amazon S3'
gcp\t'Google Cloud Storage'
minio\t'MinIO'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l team -d 'With --print-policy: a team. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l everyone-may-read -d 'With `file://`: allow more than usage, which everyone with access to the folder can read'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l yes -d 'Do not ask for confirmation'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from init" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from push" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from push" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from push" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from push" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from push" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from push" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from push" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from push" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from push" -l dry-run -d 'Send nothing, and list exactly what would leave, for whom'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from push" -l show -d 'Print the rows themselves; with --dry-run'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from push" -l watch -d 'Keep running and push every 15 minutes; failures are tried again in silence'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from push" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from push" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from push" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from push" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from push" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from push" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from push" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from status" -l owner -d 'Of another owner, as far as the storage lets you read it' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from status" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from status" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from status" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from status" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from status" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from status" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from status" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from status" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from status" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from status" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from status" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from status" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from status" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from status" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from share" -l with -d 'Who may read it: team:NAME, org or private' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from share" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from share" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from share" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from share" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from share" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from share" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from share" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from share" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from share" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from share" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from share" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from share" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from share" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from share" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from share" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from unshare" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from unshare" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from unshare" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from unshare" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from unshare" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from unshare" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from unshare" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from unshare" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from unshare" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from unshare" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from unshare" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from unshare" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from unshare" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from unshare" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from unshare" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from forget" -l owner -d 'Everything of this owner' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from forget" -l project -d 'Every session of this project, by its key; of everyone, or of --owner alone' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from forget" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from forget" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from forget" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from forget" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from forget" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from forget" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from forget" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from forget" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from forget" -l yes -d 'With --owner or --project: do not ask for confirmation'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from forget" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from forget" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from forget" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from forget" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from forget" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from forget" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from forget" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -l before -d 'Delete what is older than this month: YYYY-MM' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -l level -d 'The lowest level that goes: usage deletes everything, text only text' -r -f -a "usage\t'Everything'
metadata\t'Metadata and text'
text\t'Text'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -l owner -d 'Of another owner' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -l everyone -d 'Of everyone in the lake'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -l yes -d 'Do not ask for confirmation'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from expire" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from leave" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from leave" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from leave" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from leave" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from leave" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from leave" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from leave" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from leave" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from leave" -l wait -d 'Wait until every engine has acknowledged that it is gone'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from leave" -l yes -d 'Do not ask for confirmation'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from leave" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from leave" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from leave" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from leave" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from leave" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from leave" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from leave" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from verify" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from verify" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from verify" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from verify" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from verify" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from verify" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from verify" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from verify" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from verify" -l everyone -d 'Check the objects of everyone that you may list'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from verify" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from verify" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from verify" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from verify" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from verify" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from verify" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -l month -d 'The month [default: this one]' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -s o -l output -d 'The file to write' -r -F
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -l teams -d 'A CSV file with the teams of projects and owners [default: lake.teams]' -r -F
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -l lake -d 'Read the team lake instead of this machine: your own rows (the default), those shared with a team, or those shared with everyone' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -l force -d 'Replace the file'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -l owners -d 'Also list people'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from report" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from catalog" -l sql -d 'The engine that will read the objects' -r -f -a "duckdb\t'DuckDB'
spark\t'Spark SQL'
clickhouse\t'ClickHouse'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from catalog" -l scope -d 'Whose rows: mine, team:NAME, org, or all, which only loaders may read' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from catalog" -l location -d 'Where the engine finds the objects, if not at the address of the lake' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from catalog" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from catalog" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from catalog" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from catalog" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from catalog" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from catalog" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from catalog" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from catalog" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from catalog" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from catalog" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from catalog" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from catalog" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from catalog" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from catalog" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from catalog" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -l to -d 'A server: `https://HOST:PORT`, with `?database=NAME&cluster=NAME`. Repeatable: the rows are divided among the servers of a cluster' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -l as -d 'The name of this engine in the lake. All loaders of one engine use the same' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -l print-policy -d 'Print accounts with grants, limits and row policies for readers, and do nothing else' -r -f -a "users-xml\t'A file for users.d'
sql\t'SQL statements'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -l reader -d 'With --print-policy: a reader, as NAME or NAME:TEAM,TEAM. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -l finance -d 'With --print-policy: a reader who sees whose calls cost what. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand lake; and __fish_seen_subcommand_from load" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand doctor" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand doctor" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand doctor" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand doctor" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand doctor" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand doctor" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand doctor" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand doctor" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand doctor" -l all -d 'Show complete lists'
complete -c annals -n "__fish_annals_using_subcommand doctor" -l secrets -d 'List the sessions that contain secrets instead, and where'
complete -c annals -n "__fish_annals_using_subcommand doctor" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand doctor" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand doctor" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand doctor" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand doctor" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand doctor" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand hook" -l within -d 'Exit after MS milliseconds, or as soon as the input is recorded' -r
complete -c annals -n "__fish_annals_using_subcommand hook" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand hook" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand hook" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand hook" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand hook" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand hook" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand hook" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand hook" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand hook" -l recall -d 'At `SessionStart`, give the agent the titles, prompts and plan names of the latest sessions of this project'
complete -c annals -n "__fish_annals_using_subcommand hook" -l work -d 'Run the jobs in the spool'
complete -c annals -n "__fish_annals_using_subcommand hook" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand hook" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand hook" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand hook" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand hook" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand hook" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand hook" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand statusline" -l then -d 'Also run this shell command with the same input, and show its output above the line' -r
complete -c annals -n "__fish_annals_using_subcommand statusline" -l template -d 'Template of the line' -r
complete -c annals -n "__fish_annals_using_subcommand statusline" -l separator -d 'Text between the parts' -r
complete -c annals -n "__fish_annals_using_subcommand statusline" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand statusline" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand statusline" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand statusline" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand statusline" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand statusline" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand statusline" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand statusline" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand statusline" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand statusline" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand statusline" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand statusline" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand statusline" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand statusline" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand statusline" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand setup" -l only -d 'Only these parts. Repeatable' -r -f -a "hooks\t'Archive sessions when they end, are compacted, or are about to be deleted'
statusline\t'Show model, context, cost and limits; an existing status line stays'
skill\t'Teach agents to recall earlier sessions'
cleanup\t'Keep transcripts for at least a year'
mcp\t'Give agents tools to search earlier sessions'
timer\t'Update the archive every hour; not installed by default'"
complete -c annals -n "__fish_annals_using_subcommand setup" -l command -d 'Program path to install, for example a link that survives updates [default: the running program]' -r -F
complete -c annals -n "__fish_annals_using_subcommand setup" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand setup" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand setup" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand setup" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand setup" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand setup" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand setup" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand setup" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand setup" -l yes -d 'Make the changes without asking'
complete -c annals -n "__fish_annals_using_subcommand setup" -l dry-run -d 'Show what would change, but change nothing'
complete -c annals -n "__fish_annals_using_subcommand setup" -l remove -d 'Remove what setup installed'
complete -c annals -n "__fish_annals_using_subcommand setup" -l timer -d 'Also install a timer that updates the archive every hour'
complete -c annals -n "__fish_annals_using_subcommand setup" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand setup" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand setup" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand setup" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand setup" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand setup" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand setup" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand completions" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand completions" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand completions" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand completions" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand completions" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand completions" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand completions" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand completions" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand completions" -l static -d 'Print a script that does not call annals'
complete -c annals -n "__fish_annals_using_subcommand completions" -l widget -d 'Print a key binding that inserts a resume command (bash, zsh, fish)'
complete -c annals -n "__fish_annals_using_subcommand completions" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand completions" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand completions" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand completions" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand completions" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand completions" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand man" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand man" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand man" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand man" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand man" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand man" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand man" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand man" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand man" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand man" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand man" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand man" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand man" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand man" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand help" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand help" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand help" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand help" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand help" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand help" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand help" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand help" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand help" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand help" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand help" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand help" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand help" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand help" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c annals -n "__fish_annals_using_subcommand reference" -l root -d 'Read this store instead: a configuration folder, a projects folder, a project folder, a folder of transcripts, or one transcript. Repeatable' -r -F
complete -c annals -n "__fish_annals_using_subcommand reference" -l app -d 'Read only this app\'s sessions: claude, codex, opencode, copilot, gemini or pi. With --root, DIR is that app\'s folder. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand reference" -l exclude -d 'Ignore working directories and transcripts that match GLOB. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand reference" -l alias -d 'Count the sessions of folder OLD, which has moved, as sessions of NEW. Repeatable' -r
complete -c annals -n "__fish_annals_using_subcommand reference" -l current-session -d 'The session that runs this command; lists mark it as current' -r
complete -c annals -n "__fish_annals_using_subcommand reference" -l timezone -d 'Time zone for times and days [default: the system\'s]' -r
complete -c annals -n "__fish_annals_using_subcommand reference" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c annals -n "__fish_annals_using_subcommand reference" -l redact -d 'Mask secrets. On by default for exports and for agents; `strict` also masks e-mail addresses and home directory names' -r -f -a "off\t'Nothing'
on\t'Keys, tokens, passwords and other credentials'
strict\t'Also e-mail addresses and the names of home directories'"
complete -c annals -n "__fish_annals_using_subcommand reference" -l commands -d 'Only the names of the commands, one a line'
complete -c annals -n "__fish_annals_using_subcommand reference" -l sql -d 'The views that queries can be about instead, for docs/sql.md'
complete -c annals -n "__fish_annals_using_subcommand reference" -l options -d 'Every command with every option that many commands have, and why it does not use it, one pair a line'
complete -c annals -n "__fish_annals_using_subcommand reference" -l demo -d 'Use the demo store, to try things out'
complete -c annals -n "__fish_annals_using_subcommand reference" -l no-index -d 'Read the transcripts instead of using the index'
complete -c annals -n "__fish_annals_using_subcommand reference" -l json -d 'Print one JSON document'
complete -c annals -n "__fish_annals_using_subcommand reference" -l jsonl -d 'Print one JSON object per line'
complete -c annals -n "__fish_annals_using_subcommand reference" -l csv -d 'Print CSV'
complete -c annals -n "__fish_annals_using_subcommand reference" -l no-pager -d 'Do not use a pager'
complete -c annals -n "__fish_annals_using_subcommand reference" -s h -l help -d 'Print help (see more with \'--help\')'
