import type { RoutePath, RouteSection } from "@/app/_api/openapi/build-document";

/** Next's bundler and the tests' bundler both support this glob. */
const files = import.meta.glob<RoutePath["handlers"]>(
  ["../api/v1/**/route.ts", "../health/**/route.ts", "../metrics/route.ts", "../version/route.ts"],
  { eager: true },
);

/** In order; the deepest folder wins. */
const sections: readonly (Pick<RouteSection, "name" | "about"> & { readonly folders: readonly string[] })[] = [
  {
    name: "Vehicles",
    about: "What head units request; answered from memory, even while the database is down.",
    folders: ["/api/v1/staging", "/api/v1/production"],
  },
  { name: "App store", about: "Embedded apps for head units; public.", folders: ["/api/v1/applications/store"] },
  {
    name: "Applications",
    about: "Apps, decisions about them, and their permissions.",
    folders: ["/api/v1/applications", "/api/v1/ui/applications"],
  },
  {
    name: "Functional groups",
    about: "What apps may do: RPCs, HMI levels and parameters.",
    folders: ["/api/v1/groups", "/api/v1/ui/groups"],
  },
  {
    name: "Consumer messages",
    about: "What drivers are told, and what they are asked.",
    folders: ["/api/v1/messages", "/api/v1/ui/messages"],
  },
  { name: "Module config", about: "How head units behave between updates.", folders: ["/api/v1/module"] },
  {
    name: "Vehicle data",
    about: "The manufacturer's custom vehicle data.",
    folders: ["/api/v1/vehicle-data", "/api/v1/ui/vehicle-data"],
  },
  {
    name: "Releases",
    about: "How content reaches production: review, checks, publishing, rolling back, and history.",
    folders: ["/api/v1/releases", "/api/v1/rollouts", "/api/v1/history"],
  },
  {
    name: "Fleet",
    about: "What vehicles request and report, as counts. Nothing about a single vehicle.",
    folders: ["/api/v1/fleet"],
  },
  {
    name: "Permissions",
    about: "RPCs and parameters that the app directory knows.",
    folders: ["/api/v1/permissions", "/api/v1/ui/permissions"],
  },
  {
    name: "Exchange",
    about: "Policy as one document: export it from an environment, and import it into staging.",
    folders: ["/api/v1/exchange"],
  },
  {
    name: "Policy tables",
    about: "Policy tables without a vehicle: preview, comparison and simulation.",
    folders: ["/api/v1/policy"],
  },
  {
    name: "Certificates",
    about: "Keys and certificates of apps and head units.",
    folders: ["/api/v1/security", "/api/v1/applications/certificate"],
  },
  {
    name: "Directory",
    about: "The webhook for the app directory, and when the server reads the directory.",
    folders: ["/api/v1/webhook", "/api/v1/ui/sync"],
  },
  {
    name: "Sign-in",
    about: "Who is calling: browser sessions and API tokens.",
    folders: ["/api/v1/login", "/api/v1/logout", "/api/v1/me", "/api/v1/sessions", "/api/v1/tokens"],
  },
  {
    name: "Console",
    about: "Routes for the pages of the console; they may change with the pages.",
    folders: ["/api/v1/ui"],
  },
  {
    name: "Server",
    about: "The server itself.",
    folders: [
      "/api/v1/about",
      "/api/v1/audit",
      "/api/v1/backup",
      "/api/v1/openapi.json",
      "/health",
      "/metrics",
      "/version",
    ],
  },
];

const folders = sections.flatMap((section) => section.folders).sort((a, b) => b.length - a.length);
const folderOf = (path: string) => folders.find((folder) => path === folder || path.startsWith(`${folder}/`));

/** `../api/v1/tokens/[id]/route.ts` is `/api/v1/tokens/{id}`. */
const toPath = (file: string) => file.slice("..".length, -"/route.ts".length).replaceAll(/\[(\w+)\]/g, "{$1}");

const routes: readonly RoutePath[] = Object.entries(files)
  .map(([file, handlers]) => ({ path: toPath(file), handlers }))
  .sort((a, b) => (a.path < b.path ? -1 : 1));

export const routeSections: readonly RouteSection[] = sections.map(({ folders: own, ...section }) => ({
  ...section,
  routes: own.flatMap((folder) => routes.filter(({ path }) => folderOf(path) === folder)),
}));
