/** Lists up to this length are rendered in full, so that the browser can search them. Paper has every row. */
export const maxPlainRows = 100;
