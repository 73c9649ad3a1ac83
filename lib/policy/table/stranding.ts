"one per process";

import { oncePer } from "@/lib/platform/once-per";
import { Spot, type HeadUnitFinding } from "@/lib/policy/head-unit/finding";
import { checkReading } from "@/lib/policy/head-unit/reading";
import { listedGroups } from "@/lib/policy/table/functional-groupings";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import type { Environment } from "@/lib/vocabulary/terms";

type Stored = Pick<PolicySnapshot, "groups" | "messages" | "moduleConfigs" | "vehicleData">;

/** Nearly all records are, and stay so. */
const isReadable = oncePer((record: object) => {
  const findings: HeadUnitFinding[] = [];
  checkReading(record, Spot.root(findings, "G12"));
  return findings.length === 0;
});

/** Values that would stop updates for good if sent (rule G12). Saves call this: tables never contain them. */
export function findStranding(snapshot: Stored, environment: Environment): readonly HeadUnitFinding[] {
  const findings: HeadUnitFinding[] = [];
  const root = Spot.root(findings, "G12");
  for (const config of snapshot.moduleConfigs[environment]) {
    const here = root.at("module_config");
    if (config.secondsBetweenRetries.length === 0) {
      here.at("seconds_between_retries", "C7 seconds_between_retries").strand("the list is empty");
    }
    const { certificate: _, privateKey: _key, ...written } = config;
    checkReading(written, here);
  }
  const read = (record: object, spot: Spot) => {
    if (!isReadable(record)) checkReading(record, spot);
  };
  const groupings = root.at("functional_groupings");
  for (const group of listedGroups(snapshot, environment)) read(group, groupings.at(group.name));
  const messages = root.at("consumer_friendly_messages").at("messages");
  for (const message of snapshot.messages[environment]) {
    if (!message.isDeleted) read(message, messages.at(message.category));
  }
  const items = root.at("vehicle_data").at("schema_items");
  for (const item of snapshot.vehicleData[environment]) {
    if (!item.isDeleted) read(item, items.at(item.name));
  }
  return findings.filter(({ severity }) => severity === "stranded");
}
