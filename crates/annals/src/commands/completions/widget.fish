# Ctrl-G: choose a Claude Code session and insert the command that resumes it.
# In ~/.config/fish/config.fish: annals completions fish --widget | source
function __annals_pick
    set -l chosen (annals pick --print command </dev/tty)
    and commandline -i -- $chosen
    commandline -f repaint
end
bind \cg __annals_pick
