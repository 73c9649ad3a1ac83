/** Labels of audit event kinds for the filter and the sentences of Activity (P13). */
import { formatMoment } from "@/app/_components/ui/moment";
import { plural } from "@/lib/labels/format-number";
import { type Around, around, it } from "./around";
import { memberOf } from "@/lib/policy/head-unit/values";

/** What a sentence about an event is built from. */
export interface Change {
  readonly before: unknown;
  readonly after: unknown;
}

/** A sentence without its actor: around the target, or a text if the verb says everything. */
type Told = Around | string;
type Sentence = Told | ((change: Change) => Told);
/** Label in the filter, after the area, and sentence. */
type Kind = readonly [label: string, sentence: Sentence];

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
const because = (value: unknown): string => {
  const text = textOf(value);
  return text === null ? "" : `: ${text}`;
};
const moment = (value: unknown): string => formatMoment(textOf(value) ?? "an unknown time", "utc");
const turned = (member: string, what: string): Sentence => {
  return ({ after }) => around`turned ${memberOf(after, member) === true ? "on" : "off"} ${what} of ${it}`;
};
const named = (member: string, what: (name: string) => Told): Sentence => {
  return ({ after }) => what(textOf(memberOf(after, member)) ?? "something");
};
const counted = (value: unknown, one: string): string =>
  Number.isSafeInteger(value) ? ` with ${plural(Number(value), one)}` : "";

/** "unblocked Pigeonpost and approved it for production" */
function sayDecision({ before, after }: Change): Around {
  const [was, is] = [memberOf(before, "is_blacklisted") === true, memberOf(after, "is_blacklisted") === true];
  const [earlier, status] = [memberOf(before, "approval_status"), memberOf(after, "approval_status")];
  const reason = because(memberOf(after, "denial_message"));
  const forced = memberOf(after, "is_forced") === true ? " despite findings" : "";
  if (is && !was) return around`blocked ${it}${reason}`;
  const move = typeof status !== "string" || status === earlier ? null : sayMove(status, earlier);
  if (was && !is) {
    const also = move === null ? "" : ` and ${move.verb} it${move.rest}`;
    return around`unblocked ${it}${also}${forced}${reason}`;
  }
  if (move !== null) return around`${move.verb} ${it}${move.rest}${forced}${reason}`;
  return reason === "" ? around`decided about ${it}` : around`changed the message about ${it}${reason}`;
}

/** Around the app: "moved", " back to staging". */
function sayMove(status: string, earlier: unknown): { readonly verb: string; readonly rest: string } | null {
  if (status === "ACCEPTED") return { verb: "approved", rest: " for production" };
  if (status === "LIMITED") return { verb: "limited", rest: "" };
  if (status === "PENDING") return { verb: "moved", rest: " back to pending" };
  if (status !== "STAGING") return null;
  return earlier === "ACCEPTED"
    ? { verb: "moved", rest: " back to staging" }
    : { verb: "approved", rest: " for staging" };
}

/** "rolled production back to release 4 as release 7 with 3 changes: the fair is over" */
function sayRelease({ after }: Change): Around {
  const [items, to] = [memberOf(after, "items") ?? after, memberOf(after, "returned_to")];
  const rest = `${counted(items, "change")}${because(memberOf(after, "reason"))}`;
  return Number.isSafeInteger(to)
    ? around`rolled production back to release ${String(to)} as ${it}${rest}`
    : around`published ${it}${rest}`;
}

const importedMembers: Readonly<Record<string, (value: unknown) => string>> = {
  is_blacklisted: (value) => (value === true ? "blocked" : "unblocked"),
  is_administrator_app: (value) => `administrator groups ${value === true ? "on" : "off"}`,
  allow_unknown_rpc_passthrough: (value) => `unknown RPCs ${value === true ? "on" : "off"}`,
  is_auto_approved_enabled: (value) => `automatic approval ${value === true ? "on" : "off"}`,
  hybrid_app_preference: (value) => `hybrid preference ${textOf(value) ?? "none"}`,
  priority: (value) => `priority ${textOf(value) ?? "none"}`,
  versions: (value) => (Array.isArray(value) ? plural(value.length, "version") : ""),
};

/** "imported decisions about Podcat: unblocked, automatic approval on, 2 versions" */
function sayImport({ after }: Change): Around {
  const parts = Object.entries(importedMembers).flatMap(([name, say]) => {
    const value = memberOf(after, name);
    return value === undefined ? [] : [say(value)];
  });
  return around`imported decisions about ${it}${because(parts.join(", "))}`;
}

const wishes: Readonly<Record<string, string>> = {
  publish: "publish",
  return: "roll back",
  decision: "decide about",
  flag: "change a setting of",
};

/** "approved the request to publish 3 items" */
function sayRequest(verb: string, of: (change: Change) => unknown): (change: Change) => Around {
  return (change) => {
    const title = textOf(memberOf(of(change), "title"));
    if (title !== null) return around`${verb} ${it}: ${title}`;
    const [kind, items] = [memberOf(of(change), "kind"), memberOf(of(change), "items")];
    const wish = typeof kind === "string" ? wishes[kind] : undefined;
    if (wish === undefined || !Array.isArray(items)) return around`${verb} ${it}`;
    const texts = items.filter((item: unknown) => typeof item === "string");
    const first = texts[0]?.replace(/^[^:]*:| \d+$/g, "");
    const isApp = kind === "decision" || kind === "flag" || kind === "import";
    const what = isApp
      ? "an app"
      : items.length === 1 && first !== undefined && first !== ""
        ? first
        : plural(items.length, "item");
    return around`${verb} ${it} to ${wish} ${what}`;
  };
}
const afterOf = ({ after }: Change) => after;
const beforeOf = ({ before }: Change) => before;

const ofRecords = (area: string): Readonly<Record<string, Kind>> =>
  Object.fromEntries(Object.entries(recordKinds).map(([verb, kind]) => [`${area}.${verb}`, kind]));
/** Kinds shared by the records of every family. */
export const recordKinds: Readonly<Record<string, Kind>> = {
  save: ["saved", around`saved ${it}`],
  delete: ["deleted in staging", around`deleted ${it} in staging`],
  promote: ["published", around`published ${it}`],
  keep: ["kept in staging during a rollback", around`kept the unpublished edit of ${it}`],
};

/** All kinds by area, in the order of the filter. */
export const eventKinds: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  Apps: {
    "applications.action": ["approved, limited, blocked or moved", sayDecision],
    "applications.store": [
      "received from the app directory",
      ({ after }) => {
        if (memberOf(after, "automatic_approval_stopped") !== undefined) {
          return around`received ${it} from the app directory and held it for a review`;
        }
        const isApproved = memberOf(after, "approval_status") === "ACCEPTED";
        return around`received ${it} from the app directory${isApproved ? " and approved it automatically" : ""}`;
      },
    ],
    "applications.blacklist": [
      "blocked by the app directory",
      around`blocked ${it} at the request of the app directory`,
    ],
    "applications.delete": [
      "deleted",
      ({ before }) => around`deleted ${it}${counted(memberOf(before, "versions"), "version")}`,
    ],
    "applications.return": ["returned after deletion", around`restored the settings of ${it}, which returned`],
    "applications.auto": ["automatic approval", turned("isAutoApprovedEnabled", "automatic approval")],
    "applications.administrator": ["administrator groups", turned("isAdministratorApp", "administrator groups")],
    "applications.passthrough": ["unknown RPCs", turned("allowUnknownRpcPassthrough", "unknown RPCs")],
    "applications.hybrid": [
      "hybrid preference",
      named("hybridAppPreference", (name) => around`set the hybrid preference of ${it} to ${name}`),
    ],
    "applications.priority": ["priority", named("priority", (name) => around`set the priority of ${it} to ${name}`)],
    "applications.encryption": ["RPC encryption", turned("encryption_required", "RPC encryption")],
    "applications.groups.grant": [
      "group granted",
      named("group", (name) => around`granted the group ${name} to ${it}`),
    ],
    "applications.groups.revoke": [
      "group revoked",
      named("group", (name) => around`revoked the group ${name} from ${it}`),
    ],
    "applications.service.grant": [
      "service permission granted",
      named("permission", (name) => around`granted the service permission ${name} to ${it}`),
    ],
    "applications.service.revoke": [
      "service permission revoked",
      named("permission", (name) => around`revoked the service permission ${name} from ${it}`),
    ],
    "applications.import": ["imported", sayImport],
    "applications.update": [
      "migrated",
      ({ after }) => around`migrated the settings of ${it}${because(memberOf(after, "said") ?? after)}`,
    ],
    "app-certificate.save": ["certificate stored", around`stored a certificate of ${it}`],
  },
  "Functional groups": ofRecords("groups"),
  "Consumer messages": ofRecords("messages"),
  "Vehicle data": ofRecords("vehicle-data"),
  "Module config": {
    ...ofRecords("module"),
    "module.renew": ["certificate renewed", around`renewed the certificate of ${it}`],
    "module.seal": ["keys encrypted", around`encrypted the stored keys of ${it}`],
  },
  Releases: {
    "releases.publish": ["published", sayRelease],
    "releases.schedule": [
      "scheduled",
      ({ after }) => around`created ${it} for ${moment(memberOf(after, "at") ?? after)}`,
    ],
    "releases.move": ["moved", ({ after }) => around`moved ${it} to ${moment(after)}`],
    "releases.cancel": [
      "canceled",
      ({ before }) => around`canceled ${it} of ${moment(memberOf(before, "at") ?? before)}`,
    ],
    "releases.stop": ["stopped", ({ after }) => around`stopped ${it}${because(after)}`],
    "releases.freeze": [
      "frozen",
      ({ after }) => `froze publishing until ${moment(memberOf(after, "to"))}${because(memberOf(after, "reason"))}`,
    ],
    "releases.unfreeze": ["freeze lifted", "lifted the freeze of publishing"],
  },
  Approvals: {
    "approvals.ask": ["requested", sayRequest("made", afterOf)],
    "approvals.approve": ["approved", sayRequest("approved", beforeOf)],
    "approvals.withdraw": [
      "withdrawn",
      (change) => {
        const next = memberOf(change.after, "replaced_by");
        return sayRequest(next === undefined ? "withdrew" : "replaced", beforeOf)(change);
      },
    ],
    "approvals.reject": [
      "rejected",
      (change) => {
        const { head, tail } = sayRequest("rejected", beforeOf)(change);
        return { head, tail: tail + because(memberOf(change.after, "reason")) };
      },
    ],
    "approvals.comment": ["commented on", ({ after }) => around`commented on ${it}${because(memberOf(after, "text"))}`],
    "gate.refuse": [
      "refused",
      ({ after }) => `was refused a change of production${because(memberOf(after, "reason"))}`,
    ],
  },
  "Certificates and keys": {
    "certificate.issue": ["issued", ({ after }) => `issued a certificate${because(memberOf(after, "subject"))}`],
    "private-key.create": ["private key generated", "generated a private key"],
    "private-key.read": ["private key read", around`read the private key of ${it}`],
  },
  "Sign-ins and tokens": {
    "login.succeed": ["signed in", "signed in"],
    "login.fail": [
      "failed sign-ins",
      ({ after }) => {
        const count = memberOf(after, "count");
        const address = textOf(memberOf(after, "address")) ?? textOf(memberOf(after, "network"));
        const times = Number.isSafeInteger(count) && count !== 1 ? ` ${plural(Number(count), "time")}` : "";
        return `failed to sign in${times}${address === null ? "" : ` from ${address}`}`;
      },
    ],
    "login.break-glass": ["emergency password used", "used the emergency password"],
    logout: ["signed out", "signed out"],
    "session.end": [
      "session ended",
      ({ before }) => `ended the session of ${textOf(memberOf(before, "name")) ?? "somebody"}`,
    ],
    "token.make": ["token created", around`created ${it}`],
    "token.use": ["token first used", around`used ${it} for the first time`],
    "token.revoke": ["token revoked", around`revoked ${it}`],
  },
  Server: {
    "audit.seal": [
      "audit trail sealed",
      ({ after }) =>
        `sealed the audit trail as found${counted(memberOf(after, "event_count"), "event")}${because(memberOf(after, "reason"))}`,
    ],
    "directory.update": ["lists of the app directory", around`updated ${it} from the app directory`],
    "languages.update": ["languages", "added languages for messages"],
    "rpc-specification.store": [
      "RPC specification",
      named("version", (version) => `stored version ${version} of the RPC specification`),
    ],
    "firstData.save": ["first data", ({ after }) => `stored first data${because(after)}`],
    "import.sdl_server": ["migration", "migrated from an sdl_server"],
    "backup.read": ["backup downloaded", "downloaded a backup"],
    "backup.keep": ["backup kept", ({ after }) => `kept a backup${because(memberOf(after, "file"))}`],
    "backups.restore": ["backup restored", ({ after }) => `restored the backup of ${moment(memberOf(after, "at"))}`],
    "retention.remove": ["old records removed", "removed old records"],
  },
};

const sentences: ReadonlyMap<string, Sentence> = new Map(
  Object.values(eventKinds).flatMap((kinds) =>
    Object.entries(kinds).map(([action, [, sentence]]) => [action, sentence] as const),
  ),
);

/** The sentence of a kind; null if there is none. */
export function sentenceOf(action: string, change: Change): Told | null {
  const sentence = sentences.get(action) ?? recordKinds[action.slice(action.lastIndexOf(".") + 1)]?.[1];
  if (sentence === undefined) return null;
  return typeof sentence === "function" ? sentence(change) : sentence;
}
