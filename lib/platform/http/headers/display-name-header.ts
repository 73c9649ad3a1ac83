/** Request header with the name, in percent-encoded UTF-8 because headers are Latin-1. */
export const displayNameHeader = "X-Display-Name";

/** Maximum length of a name in UTF-16 units, like `maxLength` of an input. */
export const longestDisplayName = 80;

export const displayNameKey = "preference:displayName";
