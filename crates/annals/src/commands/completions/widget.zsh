# Ctrl-G: choose a Claude Code session and insert the command that resumes it.
# In ~/.zshrc: source <(annals completions zsh --widget)
__annals_pick() {
  local chosen
  chosen=$(annals pick --print command </dev/tty) && LBUFFER+=$chosen
  zle reset-prompt
}
zle -N __annals_pick
bindkey '^G' __annals_pick
