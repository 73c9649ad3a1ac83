/** What audit events say in a sentence, and where what they are about is shown. */
import type { AuditEventJson } from "@/lib/platform/audit/schema";
import { itemFamilies, releaseItems } from "@/lib/labels/release-items";

const verbs: Readonly<Record<string, string>> = {
  "applications.action": "decided about",
  "applications.auto": "switched automatic approval of",
  "applications.administrator": "switched administrator groups of",
  "applications.passthrough": "switched unknown RPCs of",
  "applications.hybrid": "changed the hybrid preference of",
  "applications.store": "took over from the directory",
  "applications.blacklist": "blocked",
  "app-certificate.save": "stored the certificate of",
  "certificate.issue": "issued",
  "private-key.create": "generated",
  "private-key.read": "read the private key of",
  "releases.publish": "published",
  "releases.schedule": "scheduled",
  "releases.move": "moved",
  "releases.cancel": "cancelled",
  "releases.stop": "stopped",
  "releases.freeze": "froze",
  "releases.unfreeze": "lifted the freeze of",
  "approvals.ask": "requested",
  "approvals.approve": "approved",
  "approvals.withdraw": "withdrew",
  "approvals.reject": "rejected",
  "approvals.comment": "commented on",
  "login.succeed": "signed in",
  "login.fail": "failed to sign in",
  "login.break-glass": "used the emergency password",
  logout: "signed out",
  "session.end": "ended a session",
  "token.make": "made",
  "token.use": "used for the first time",
  "token.revoke": "revoked",
  "import.sdl_server": "migrated from an sdl_server into",
  "gate.refuse": "was refused a change of",
  "retention.remove": "removed old records",
};
const endings: Readonly<Record<string, string>> = {
  save: "saved",
  delete: "deleted",
  restore: "restored",
  promote: "published",
  keep: "kept the waiting edit of",
  update: "updated",
};

/** What is no family of items. */
const nouns: Readonly<Record<string, string>> = {
  application: "the app version",
  release: "release",
  scheduled: "the scheduled release",
  approval: "the request for approval",
  token: "the token",
  step: "the first data, step",
};

const familyOf = (kind: string) =>
  itemFamilies.map((family) => releaseItems[family]).find(({ targets }) => targets.some((target) => target === kind));

/** Targets of which the verb says everything. */
const alone: ReadonlySet<string> = new Set(["login", "retention"]);

/** "published the functional group Location-1" */
export function describeEvent({ action, target }: Pick<AuditEventJson, "action" | "target">): string {
  const verb = verbs[action] ?? endings[action.slice(action.lastIndexOf(".") + 1)] ?? action;
  if (alone.has(target)) return verb;
  const { kind, key } = splitTarget(target);
  if (key === "") return `${verb} ${kind.replaceAll("_", " ")}`;
  const noun = familyOf(kind)?.noun;
  return `${verb} ${nouns[kind] ?? (noun === undefined ? kind : `the ${noun}`)} ${key}`;
}

/** The page of what an event is about; null: it has none. */
export function pathOfTarget(target: string): string | null {
  const { kind, key } = splitTarget(target);
  const family = familyOf(kind);
  if (family !== undefined) return family.pathOf(key, "staging");
  switch (kind) {
    case "release":
      return `/releases/${encodeURIComponent(key)}`;
    case "releases":
    case "scheduled":
      return "/releases";
    case "approval":
      return "/changes";
    default:
      return null;
  }
}

function splitTarget(target: string) {
  const at = target.indexOf(":");
  return at < 0 ? { kind: target, key: "" } : { kind: target.slice(0, at), key: target.slice(at + 1) };
}
