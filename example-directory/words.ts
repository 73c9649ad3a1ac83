export const adjectives = [
  "Amber",
  "Brisk",
  "Calm",
  "Distant",
  "Early",
  "Fair",
  "Gentle",
  "Hidden",
  "Ivory",
  "Jolly",
  "Keen",
  "Lively",
  "Mellow",
  "Northern",
  "Open",
  "Patient",
  "Quick",
  "Rolling",
  "Silver",
  "Tidy",
  "Upper",
  "Violet",
  "Warm",
  "Young",
] as const;

/** One list for each category that has a theme of its own; other categories use `nouns`. */
export const nounsByCategory: Readonly<Record<string, readonly string[]>> = {
  MEDIA: ["Radio", "Podcast", "Tunes", "Playlist", "Concert", "Stories"],
  NAVIGATION: ["Routes", "Atlas", "Compass", "Waypoint", "Detour", "Milestone"],
  COMMUNICATION: ["Calls", "Intercom", "Hotline", "Switchboard"],
  MESSAGING: ["Messages", "Postcard", "Courier", "Letters"],
  INFORMATION: ["Forecast", "Headlines", "Timetable", "Almanac", "Parking"],
  SOCIAL: ["Friends", "Meetup", "Neighbours"],
};
export const nouns = ["Assistant", "Logbook", "Garage", "Companion", "Monitor", "Toolbox", "Notebook", "Dashboard"];

export const trades = ["Audio", "Maps", "Mobility", "Software", "Systems", "Telematics", "Labs", "Media"] as const;
export const companyForms = ["GmbH", "Inc.", "Ltd.", "S.A.", "AB", "K.K.", "B.V."] as const;

export const countries = [
  ["AT", "Austria"],
  ["AU", "Australia"],
  ["BE", "Belgium"],
  ["BR", "Brazil"],
  ["CA", "Canada"],
  ["CH", "Switzerland"],
  ["CN", "China"],
  ["CZ", "Czechia"],
  ["DE", "Germany"],
  ["DK", "Denmark"],
  ["ES", "Spain"],
  ["FI", "Finland"],
  ["FR", "France"],
  ["GB", "United Kingdom"],
  ["GR", "Greece"],
  ["IE", "Ireland"],
  ["IN", "India"],
  ["IT", "Italy"],
  ["JP", "Japan"],
  ["KR", "South Korea"],
  ["MX", "Mexico"],
  ["NL", "Netherlands"],
  ["NO", "Norway"],
  ["PL", "Poland"],
  ["PT", "Portugal"],
  ["SE", "Sweden"],
  ["TR", "Türkiye"],
  ["US", "United States of America"],
].map(([iso = "", name = ""]) => ({ iso, name }));

/** Permissions that apps of a category typically ask for, besides any others. */
export const typicalPermissions: Readonly<Record<string, readonly string[]>> = {
  MEDIA: ["ButtonPress", "OnButtonPress", "SetMediaClockTimer", "SubscribeButton", "PutFile"],
  NAVIGATION: ["AlertManeuver", "GetWayPoints", "SendLocation", "ShowConstantTBT", "UpdateTurnList", "gps", "speed"],
  COMMUNICATION: ["DialNumber", "Speak", "Alert"],
  INFORMATION: ["Alert", "Speak", "Show", "externalTemperature"],
};
