/** Lists up to this length are rendered in full, so that the browser can search them. */
export const maxPlainRows = 100;
