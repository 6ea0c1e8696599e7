"""The AIE tile of AMD's NPUs: what a kernel there looks like, derived from a Task. There is no engine yet."""
