/** What the pane of effects says before there are any; also while its code is not fetched yet. */
export const effectTitle = "What this does to apps";
export const effectHint = "Change something, and who gains or loses what is told here.";
