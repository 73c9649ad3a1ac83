/** Where `proxy.ts` tells a page the nonce of its answer, for styles and scripts that libraries put into it. */
export const nonceHeader = "x-nonce";
