export const adjectives = (
  "Amber Brisk Calm Distant Early Fair Gentle Hidden Ivory Jolly Keen Lively " +
  "Mellow Northern Open Patient Quick Rolling Silver Tidy Upper Violet Warm Young"
).split(" ");

/** One list per category with its own theme; other categories use `nouns`. */
export const nounsByCategory: Readonly<Record<string, readonly string[]>> = {
  MEDIA: ["Radio", "Podcast", "Tunes", "Playlist", "Concert", "Stories"],
  NAVIGATION: ["Routes", "Atlas", "Compass", "Waypoint", "Detour", "Milestone"],
  COMMUNICATION: ["Calls", "Intercom", "Hotline", "Switchboard"],
  MESSAGING: ["Messages", "Postcard", "Courier", "Letters"],
  INFORMATION: ["Forecast", "Headlines", "Timetable", "Almanac", "Parking"],
  SOCIAL: ["Friends", "Meetup", "Neighbours"],
};
export const nouns = ["Assistant", "Logbook", "Garage", "Companion", "Monitor", "Toolbox", "Notebook", "Dashboard"];

export const trades = ["Audio", "Maps", "Mobility", "Software", "Systems", "Telematics", "Labs", "Media"];
export const companyForms = ["GmbH", "Inc.", "Ltd.", "S.A.", "AB", "K.K.", "B.V."];

export const typicalPermissions: Readonly<Record<string, readonly string[]>> = {
  MEDIA: ["ButtonPress", "OnButtonPress", "SetMediaClockTimer", "SubscribeButton", "PutFile"],
  NAVIGATION: ["AlertManeuver", "GetWayPoints", "SendLocation", "ShowConstantTBT", "UpdateTurnList", "gps", "speed"],
  COMMUNICATION: ["DialNumber", "Speak", "Alert"],
  INFORMATION: ["Alert", "Speak", "Show", "externalTemperature"],
};
