/** A cookie, because the server needs it, or the notices would flash up. */
export const hiddenNoticesCookie = "hidden-notices";
