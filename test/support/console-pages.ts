/** Reads `data` of an API response. */
export type AskApi = (path: string) => Promise<any>;

/** One page of the console, for the checks that all pages must pass and for screenshots. */
export interface ConsolePageFacts {
  /** Short name for tests and files. */
  readonly name: string;
  /** Its path on a server with the example data. */
  readonly path: string | ((ask: AskApi) => Promise<string>);
  /** The text of its only `h1`. */
  readonly heading: string | RegExp;
  /** Text from the page's data that the server itself renders. */
  readonly data: string | RegExp;
  /** False for pages that signed-in users never see. */
  readonly needsSession?: boolean;
}

/** Every page of the console. A new page must be added here. */
export const consolePages: readonly ConsolePageFacts[] = [
  { name: "overview", path: "/", heading: "Overview", data: /apps? to review[^]*What vehicles get now/ },
  { name: "you", path: "/you", heading: "You", data: /Shared password[^]*Change production/ },
  { name: "applications", path: "/applications?state=all", heading: "Applications", data: "Wayfold Navigation" },
  {
    name: "application",
    path: async (ask) => {
      const { applications } = await ask("/applications?approval_status=PENDING&search=podcat");
      return `/applications/${applications[0].id}`;
    },
    heading: "Podcat",
    data: /Podcat Collective[^]*the version in production/,
  },
  ...["permissions", "settings", "details"].map((tab) => ({
    name: `application-${tab}`,
    path: async (ask: AskApi) => {
      const { applications } = await ask("/applications?approval_status=PENDING&search=podcat");
      return `/applications/${applications[0].id}?tab=${tab}`;
    },
    heading: "Podcat",
    data: /Podcat Collective/,
  })),
  { name: "access", path: "/access", heading: "Access", data: "API tokens" },
  { name: "about", path: "/about", heading: "About", data: "RPC encryption" },
  {
    name: "consumermessages",
    path: "/consumermessages?q=position",
    heading: "Consumer messages",
    data: /Location[^]*\/40 languages/,
  },
  {
    name: "consumermessage",
    path: "/consumermessages/manage?category=AppPermissions&environment=staging&lang=de-de",
    heading: "AppPermissions",
    data: /German \(Germany\)[^]*%functionalGroupLabels%/,
  },
  {
    name: "consumermessage-new",
    path: "/consumermessages/manage",
    heading: "New message",
    data: /English \(United States\)[^]*English cannot be removed/,
  },
  { name: "docs", path: "/docs", heading: "API", data: "/applications/action" },
  { name: "functionalgroups", path: "/functionalgroups", heading: "Functional groups", data: "Location-1" },
  {
    name: "functionalgroups-unmapped",
    path: "/functionalgroups?panel=unmapped",
    heading: "Functional groups",
    data: "Every permission is in a group",
  },
  {
    name: "functionalgroups-coverage",
    path: "/functionalgroups?view=matrix",
    heading: "Functional groups",
    data: /RPCs 1–45 of \d+[^]*\d+ groups[^]*F FULL, L LIMITED/,
  },
  {
    name: "functionalgroup",
    path: "/functionalgroups/manage?name=Location-1&environment=staging",
    heading: "Location-1",
    data: "SubscribeVehicleData",
  },
  {
    name: "functionalgroup-production",
    path: "/functionalgroups/manage?name=Base-4&environment=production",
    heading: "Base-4",
    data: "RegisterAppInterface",
  },
  {
    name: "functionalgroup-new",
    path: "/functionalgroups/manage",
    heading: "New functional group",
    data: "This group allows nothing yet",
  },
  {
    name: "rpc",
    path: "/rpcs/Alert",
    heading: "Alert",
    data: /may use it in production[^]*Requested[^]*Notifications/,
  },
  {
    name: "parameter",
    path: "/rpcs/GetVehicleData/gps?apps=production",
    heading: "gps",
    data: /Location and routes[^]*SubscribeVehicleData[^]*Location-1/,
  },
  { name: "moduleconfig", path: "/moduleconfig", heading: "Module config", data: "Pauses between attempts" },
  {
    name: "moduleconfig-production",
    path: "/moduleconfig?environment=production",
    heading: "Module config",
    data: "Notifications per minute",
  },
  { name: "policytable", path: "/policytable", heading: "Policy table", data: "functional_groupings" },
  {
    name: "policytable-compare",
    path: "/policytable?tab=compare",
    heading: "Policy table",
    data: /App entries[^]*(apps? change|The two tables are the same)/,
  },
  {
    name: "policytable-vehicle",
    path: async (ask) => {
      const { applications } = await ask("/applications?search=wayfold");
      return `/policytable?tab=vehicle&of=staging&apps=${applications[0].uuid}`;
    },
    heading: "Policy table",
    data: /Answered from[^]*Wayfold Navigation/,
  },
  {
    name: "vehicledata",
    path: "/vehicledata",
    heading: "Vehicle data",
    data: /grant each item as a parameter[^]*seatMassage/,
  },
  {
    name: "vehicledata-item",
    path: async (ask) => {
      const { custom_vehicle_data: items } = await ask("/vehicle-data?environment=staging");
      const { params } = items.find(({ name }: { name: string }) => name === "seatMassage");
      return `/vehicledata/manage?id=${params[0].id}&environment=staging`;
    },
    heading: "seatMassage",
    data: /2 inside[^]*level[^]*Integer[^]*program/,
  },
  {
    name: "vehicledata-new",
    path: "/vehicledata/manage",
    heading: "New vehicle data item",
    data: /Structure[^]*mapping table/,
  },
  { name: "signed-in", path: "/signed-in", heading: "You are signed in", data: "Close this tab" },
  {
    name: "no-access",
    path: "/no-access?needs=administer",
    heading: "No access",
    data: /This page needs the role[^]*admin/,
  },
  { name: "activity", path: "/activity", heading: "Activity", data: /Who[^]*What/ },
  { name: "exchange", path: "/exchange", heading: "Import and export", data: /Download staging[^]*Choose a file/ },
  {
    name: "changes",
    path: "/changes",
    heading: "Review changes",
    data: /to (add|change)[^]*Vehicles receive the changes once they are published/,
  },
  { name: "releases", path: "/releases", heading: "Releases", data: /First data[^]*Release/ },
  { name: "release", path: "/releases/1", heading: /^Release #1/, data: /First data[^]*Policy revision/ },
  { name: "login", path: "/login", heading: "Sign in", data: "Password", needsSession: false },
];

export const themes = ["light", "dark"] as const;
/** Desktops, the width from which tables are used, a phone, and the minimum for reading (WCAG 1.4.10). */
export const widths = [1920, 1280, 768, 390, 320] as const;

/** The page's path on a server. */
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
