/** The place at the bottom of the window where the shell lets pages put a bar, above its own. */
export const bottomSlotId = "bottom-slot";
