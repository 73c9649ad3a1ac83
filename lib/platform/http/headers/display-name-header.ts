/** Request header with the name, percent-encoded UTF-8: headers themselves are Latin-1. */
export const displayNameHeader = "X-Display-Name";

/** UTF-16 units of a name, as `maxLength` of a field counts them. */
export const longestDisplayName = 80;

/** What a name does not hold: controls, line ends, and marks that turn around the text beside it. */
export const unfitInDisplayName = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** Where a browser keeps the name of its reader: the preference `displayName`. */
export const displayNameKey = "preference:displayName";
