/** Lists up to this length are in the page as a whole: the browser finds in them, and prints them. */
export const maxPlainRows = 100;
