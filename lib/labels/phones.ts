/** What phones make of an address that is announced (`docs/spec/phones.md` Q6). */
export const phonesAskByHttps = "Phones ask by HTTPS on this port, whatever is announced";

/** Whether the server announces plain HTTP to phones; nobody but its own machine reaches a loopback address. */
export function announcesPlainHttp(publicBaseUrl: string): boolean {
  const { protocol, hostname } = new URL(publicBaseUrl);
  return protocol === "http:" && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

/** What becomes of names that `garbledNames` gives (Q5). */
export const garbledNameNote =
  "Android phones garble this name on its way to the server, so a vehicle with this app sends a request that is not valid JSON. " +
  "This server still finds the app ids and answers, but without “enabled” and “auth_token”. You can approve the app.";

/** The names of an app that the SDL library for Android breaks: it drops every backslash, and so what escapes a quote. */
export function garbledNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => /["\\]/.test(name));
}

/** The note about names that phones garble, for who decides about many apps; none without such names. */
export function noteGarbledNames(names: readonly string[]): string[] {
  const garbled = garbledNames(names);
  return garbled.length === 0 ? [] : [`${garbled.join(", ")}: ${garbledNameNote}`];
}

/** What a save of the module config is told of the address that phones get (Q6); nothing where they can use it. */
export function notePlainHttp(publicBaseUrl: string): string[] {
  return announcesPlainHttp(publicBaseUrl)
    ? [`Vehicles are given the address ${publicBaseUrl}. ${phonesAskByHttps}`]
    : [];
}
