/** Request header with the name, in percent-encoded UTF-8 because headers are Latin-1. */
export const displayNameHeader = "X-Display-Name";

/** Maximum length of a name in UTF-16 units, like `maxLength` of an input. */
export const longestDisplayName = 80;

/** Not allowed in a name: control characters, line breaks, and bidi marks, which reorder the text next to it. */
export const unfitInDisplayName = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** Where the browser stores the user's name: the preference `displayName`. */
export const displayNameKey = "preference:displayName";
