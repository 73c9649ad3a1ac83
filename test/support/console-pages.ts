export type AskApi = (path: string) => Promise<any>;

export interface ConsolePageFacts {
  readonly name: string;
  readonly path: string | ((ask: AskApi) => Promise<string>);
  readonly heading: string | RegExp;
  /** Text from the page's data that the server itself renders. */
  readonly data: string | RegExp;
  /** False for pages that signed-in users never see. */
  readonly needsSession?: boolean;
}

const pendingApp = async (ask: AskApi, query = "") => {
  const { applications } = await ask("/applications?approval_status=PENDING&search=podcat");
  return `/applications/${applications[0].id}${query}`;
};
const vehicleOfAnApp = async (ask: AskApi) => {
  const { applications } = await ask("/applications?search=wayfold");
  return `/policytable?tab=vehicle&of=staging&apps=${applications[0].uuid}`;
};
const insideAnItem = async (ask: AskApi) => {
  const { custom_vehicle_data: items } = await ask("/vehicle-data?environment=staging");
  const { params } = items.find(({ name }: { name: string }) => name === "seatMassage");
  return `/vehicledata/manage?id=${params[0].id}&environment=staging`;
};
const germanPrompt = "/consumermessages/manage?category=AppPermissions&environment=staging&lang=de-de";
const groups = "/functionalgroups";
const groupInStaging = `${groups}/manage?name=Location-1&environment=staging`;
const groupInProduction = `${groups}/manage?name=Base-4&environment=production`;

/** Every page of the console, with the members of `ConsolePageFacts` in their order. A new page must be added here. */
const rows: readonly (readonly [string, ConsolePageFacts["path"], string | RegExp, string | RegExp, boolean?])[] = [
  ["overview", "/", "Overview", /apps? to review[^]*In production/],
  ["you", "/you", "You", /shared password[^]*Change production/],
  ["applications", "/applications?state=all", "Applications", "Wayfold Navigation"],
  ["application", pendingApp, "Podcat", /Podcat Collective[^]*the version in production/],
  ["application-permissions", (ask) => pendingApp(ask, "?tab=permissions"), "Podcat", /Podcat Collective/],
  ["application-settings", (ask) => pendingApp(ask, "?tab=settings"), "Podcat", /Podcat Collective/],
  ["application-fleet", (ask) => pendingApp(ask, "?tab=fleet"), "Podcat", "No vehicle has requested this app"],
  ["application-details", (ask) => pendingApp(ask, "?tab=details"), "Podcat", /Podcat Collective/],
  ["access", "/access", "Access", "API tokens"],
  ["about", "/about", "About", "RPC encryption"],
  ["consumermessages", "/consumermessages?q=position", "Consumer messages", /Location[^]*\/40 languages/],
  ["consumermessage", germanPrompt, "AppPermissions", /German \(Germany\)[^]*%functionalGroupLabels%/],
  [
    "consumermessage-new",
    "/consumermessages/manage",
    "New message",
    /English \(United States\)[^]*English cannot be removed/,
  ],
  ["docs", "/docs", "API", "/applications/action"],
  ["functionalgroups", groups, "Functional groups", "Location-1"],
  ["functionalgroups-unmapped", `${groups}?panel=unmapped`, "Functional groups", "Every permission is in a group"],
  ["functionalgroup", groupInStaging, "Location-1", "SubscribeVehicleData"],
  ["functionalgroup-production", groupInProduction, "Base-4", "RegisterAppInterface"],
  ["functionalgroup-new", `${groups}/manage`, "New functional group", "This group allows nothing yet"],
  ["rpc", "/rpcs/Alert", "Alert", /may use it in production[^]*Requested[^]*Notifications/],
  [
    "parameter",
    "/rpcs/GetVehicleData/gps?apps=production",
    "gps",
    /Location and routes[^]*SubscribeVehicleData[^]*Location-1/,
  ],
  ["moduleconfig", "/moduleconfig", "Module config", "Pauses after retries"],
  ["moduleconfig-production", "/moduleconfig?environment=production", "Module config", "Notifications per minute"],
  ["policytable", "/policytable", "Policy table", "functional_groupings"],
  ["policytable-vehicle", vehicleOfAnApp, "Policy table", /Answered from[^]*Wayfold Navigation/],
  ["vehicledata", "/vehicledata", "Vehicle data", /grant each item as a parameter[^]*seatMassage/],
  ["vehicledata-item", insideAnItem, "seatMassage", /2 inside[^]*level[^]*Integer[^]*program/],
  ["vehicledata-new", "/vehicledata/manage", "New vehicle data item", /Structure[^]*mapping table/],
  ["signed-in", "/signed-in", "You are signed in", "Close this tab"],
  ["no-access", "/no-access?needs=administer", "No access", /This page needs the role[^]*admin/],
  ["fleet", "/fleet?range=30d", "Fleet", /No vehicle has asked yet|Head-unit software/],
  ["activity", "/activity", "Activity", /Who[^]*What/],
  ["exchange", "/exchange", "Import and export", /Download staging[^]*Choose a file/],
  ["changes", "/changes", "Review changes", /to (add|change)[^]*Vehicles receive the changes once they are published/],
  ["releases", "/releases", "Releases", /First data[^]*Release/],
  ["release", "/releases/1", /^Release #1/, /First data[^]*Policy revision/],
  ["login", "/login", "Sign in", "Password", false],
  ["login-problem", "/login?problem=provider-down", "Sign in", "The identity provider cannot be reached", false],
];

export const consolePages: readonly ConsolePageFacts[] = rows.map(
  ([name, path, heading, data, needsSession = true]) => ({ name, path, heading, data, needsSession }),
);

export const themes = ["light", "dark"] as const;
/** Desktops, the width from which tables are used, phones, and the minimum for reading (WCAG 1.4.10). */
export const widths = [1920, 1280, 768, 390, 360, 320] as const;

export async function findPath(
  { path }: ConsolePageFacts,
  origin: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  if (typeof path === "string") return path;
  return path(async (api) => {
    const answer = await fetch(`${origin}/api/v1${api}`, { headers });
    if (!answer.ok) throw new Error(`${api} answered ${answer.status}`);
    return ((await answer.json()) as { data: unknown }).data;
  });
}
