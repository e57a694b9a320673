# Ctrl-G: choose a Claude Code session and insert the command that resumes it.
# In ~/.bashrc: source <(annals completions bash --widget)
__annals_pick() {
  local chosen
  chosen=$(annals pick --print command) || return 0
  READLINE_LINE="${READLINE_LINE:0:READLINE_POINT}${chosen}${READLINE_LINE:READLINE_POINT}"
  READLINE_POINT=$((READLINE_POINT + ${#chosen}))
}
bind -x '"\C-g": __annals_pick'
