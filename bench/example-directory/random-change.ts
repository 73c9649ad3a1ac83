import type { ExampleApps } from "@/example-directory/apps";
import type { Random } from "@/bench/example-directory/random";
import type { DirectoryRecord } from "@/example-directory/catalog";

/** Maximum attempts to draw an existing app before adding a new one, e.g. because all are deleted. */
const maxDraws = 50;

export function makeRandomChange(apps: ExampleApps, random: Random): DirectoryRecord {
  const draw = random();
  const record = draw < 0.15 ? null : drawExisting(apps, random);
  if (record === null) return apps.add();
  const { uuid } = record;
  if (record.blacklisted_ts !== null && random() < 0.5) return apps.unblacklist(uuid);
  if (draw < 0.22) return apps.delete(uuid);
  if (draw < 0.29 && record.blacklisted_ts === null) return apps.blacklist(uuid);
  return apps.change(uuid, revise(record, random));
}

function drawExisting(apps: ExampleApps, random: Random): DirectoryRecord | null {
  for (let draws = 0; draws < maxDraws && apps.count > 0; draws++) {
    const record = apps.at(Math.floor(random() * apps.count));
    if (record.deleted_ts === null) return record;
  }
  return null;
}

function revise({ permissions, name }: DirectoryRecord, random: Random) {
  const kept: unknown[] = Array.isArray(permissions) ? permissions.filter(() => random() < 0.9) : [];
  return {
    developer_version: `${Math.floor(random() * 100)}.0.0`,
    can_background_alert: random() < 0.5,
    permissions: kept,
    display_names: [name, `${String(name)} ${Math.floor(random() * 1000)}`],
  };
}
