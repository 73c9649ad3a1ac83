/** Cookie with the notices that this browser has seen or dismissed: the server needs it, or they would flash up. */
export const hiddenNoticesCookie = "hidden-notices";
