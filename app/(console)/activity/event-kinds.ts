export const recordKinds: Readonly<Record<string, string>> = {
  save: "saved",
  delete: "staged the deletion of",
  promote: "published",
  keep: "kept the unpublished edit of",
};
const ofRecords = (area: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(recordKinds).map(([verb, done]) => [`${area}.${verb}`, done]));

export const eventKinds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Apps: {
    "applications.action": "decided about",
    "applications.store": "received",
    "applications.blacklist": "blocked",
    "applications.delete": "deleted",
    "applications.return": "restored the settings of",
    "applications.auto": "changed automatic approval of",
    "applications.administrator": "changed administrator groups of",
    "applications.passthrough": "changed unknown RPCs of",
    "applications.hybrid": "changed the hybrid preference of",
    "applications.priority": "changed the priority of",
    "applications.encryption": "changed RPC encryption of",
    "applications.groups.grant": "granted a group to",
    "applications.groups.revoke": "revoked a group from",
    "applications.service.grant": "granted a service permission to",
    "applications.service.revoke": "revoked a service permission from",
    "applications.import": "imported decisions about",
    "applications.update": "migrated the settings of",
    "app-certificate.save": "stored a certificate of",
  },
  "Functional groups": ofRecords("groups"),
  "Consumer messages": ofRecords("messages"),
  "Vehicle data": ofRecords("vehicle-data"),
  "Module config": {
    ...ofRecords("module"),
    "module.renew": "renewed the certificate of",
    "module.seal": "encrypted the stored keys of",
  },
  Releases: {
    "releases.publish": "published",
    "releases.schedule": "created",
    "releases.move": "moved",
    "releases.cancel": "canceled",
    "releases.stop": "stopped",
    "releases.freeze": "froze publishing",
    "releases.unfreeze": "lifted the freeze of publishing",
    "rollouts.start": "started",
    "rollouts.step": "began the next step of",
    "rollouts.pause": "paused",
    "rollouts.brake": "stopped",
    "rollouts.resume": "resumed",
    "rollouts.finish": "finished",
    "rollouts.cancel": "called off",
  },
  Approvals: {
    "approvals.ask": "made",
    "approvals.approve": "approved",
    "approvals.withdraw": "withdrew",
    "approvals.reject": "rejected",
    "approvals.comment": "commented on",
    "gate.refuse": "was refused a change of production",
  },
  "Certificates and keys": {
    "certificate.issue": "issued a certificate",
    "private-key.create": "generated a private key",
    "private-key.read": "read the private key of",
  },
  "Sign-ins and tokens": {
    "login.succeed": "signed in",
    "login.fail": "failed to sign in",
    "login.break-glass": "used the emergency password",
    logout: "signed out",
    "session.end": "ended a session",
    "token.make": "created",
    "token.use": "began to use",
    "token.revoke": "revoked",
  },
  Server: {
    "audit.seal": "sealed the audit trail as found",
    "directory.update": "updated lists of the app directory",
    "languages.update": "added languages for messages",
    "rpc-specification.store": "stored the RPC specification",
    "firstData.save": "stored first data in",
    "import.sdl_server": "migrated from an sdl_server",
    "backup.read": "downloaded a backup",
    "backup.keep": "kept a backup",
    "backups.restore": "restored a backup",
    "retention.remove": "removed old records",
  },
};

const verbs: ReadonlyMap<string, string> = new Map(Object.values(eventKinds).flatMap((kinds) => Object.entries(kinds)));

/** An unknown kind keeps its name. */
export function verbOf(action: string): string {
  return verbs.get(action) ?? recordKinds[action.slice(action.lastIndexOf(".") + 1)] ?? action;
}
