/** Riskiest first, in the order of display. */
export const riskKinds = ["location", "driver", "vehicle", "control", "microphone", "other"] as const;
export type RiskKind = (typeof riskKinds)[number];

export const riskTitles: Readonly<Record<RiskKind, string>> = {
  location: "Location and routes",
  driver: "Driver and VIN",
  vehicle: "Vehicle data",
  control: "Remote control",
  microphone: "Microphone and calls",
  other: "Screen, speech and the rest",
};

export const areaNames: Readonly<Record<RiskKind, string>> = {
  location: "location",
  driver: "driver and VIN data",
  vehicle: "vehicle data",
  control: "remote control",
  microphone: "microphone and calls",
  other: "other RPCs",
};
/** Areas that concern people; pages highlight gains in them. */
export const sensitiveKinds: ReadonlySet<RiskKind> = new Set(["location", "driver", "control", "microphone"]);

/** Without parameters, they cover all vehicle data. */
export const dataRpcs: readonly string[] = [
  "GetVehicleData",
  "SubscribeVehicleData",
  "UnsubscribeVehicleData",
  "OnVehicleData",
];
const rpcs: Readonly<Record<Exclude<RiskKind, "driver" | "other">, readonly string[]>> = {
  location: ["GetWayPoints", "SubscribeWayPoints", "UnsubscribeWayPoints", "OnWayPointChange", "SendLocation"],
  vehicle: [...dataRpcs, "ReadDID", "GetDTCs", "DiagnosticMessage"],
  control: [
    ...["GetInteriorVehicleData", "SetInteriorVehicleData", "OnInteriorVehicleData", "OnRCStatus"],
    ...["GetInteriorVehicleDataConsent", "ReleaseInteriorVehicleDataModule", "ButtonPress"],
  ],
  microphone: ["PerformAudioPassThru", "EndAudioPassThru", "OnAudioPassThru", "DialNumber"],
};
const places: ReadonlySet<string> = new Set(["gps", "heading"]);
/** Data that identifies the vehicle, or describes its driver and passengers. */
const persons: ReadonlySet<string> = new Set([
  ...["vin", "cloudAppVehicleID", "myKey", "deviceStatus", "driverBraking", "handsOffSteering"],
  ...["beltStatus", "seatOccupancy", "airbagStatus", "eCallInfo", "emergencyEvent"],
]);
const byRpc = new Map(
  Object.entries(rpcs).flatMap(([kind, names]) => names.map((name) => [name, kind as RiskKind] as const)),
);

/** Empty where a risk is in parameters alone, and for `other`, which is the rest. */
export const rpcsOfRisk = (kind: RiskKind): readonly string[] =>
  kind === "driver" || kind === "other" ? [] : rpcs[kind];

export function riskOfRpc(name: string): RiskKind {
  return byRpc.get(name) ?? "other";
}

export function riskOfParameter(name: string): RiskKind {
  return places.has(name) ? "location" : persons.has(name) ? "driver" : "vehicle";
}

/** Lower is riskier. */
export function riskRank(rpc: string, parameters: readonly string[]): number {
  const ranks = [riskOfRpc(rpc), ...parameters.map(riskOfParameter)].map((kind) => riskKinds.indexOf(kind));
  return Math.min(...ranks);
}
