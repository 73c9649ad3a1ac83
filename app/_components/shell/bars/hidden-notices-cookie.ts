/** Cookie with the notices that this browser has seen or put away: the server must know, or they would flash up. */
export const hiddenNoticesCookie = "hidden-notices";
