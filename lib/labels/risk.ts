/** What a permission touches, the riskiest first: what is worth a second look, in the order in which it is shown. */
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

/** The same inside a sentence. */
export const areaNames: Readonly<Record<RiskKind, string>> = {
  location: "location",
  driver: "driver and VIN data",
  vehicle: "vehicle data",
  control: "remote control",
  microphone: "microphone and calls",
  other: "other RPCs",
};
/** Areas that concern people: what is gained there stands out. */
export const sensitiveKinds: ReadonlySet<RiskKind> = new Set(["location", "driver", "control", "microphone"]);

/** The RPCs whose parameters are vehicle data; without a list of them, they mean all of it. */
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
/** Vehicle data that tells where the vehicle is. */
const places: ReadonlySet<string> = new Set(["gps", "heading"]);
/** Vehicle data that names the vehicle, or tells of who drives and rides in it: their phone, their belts, their accident. */
const persons: ReadonlySet<string> = new Set([
  ...["vin", "cloudAppVehicleID", "myKey", "deviceStatus", "driverBraking", "handsOffSteering"],
  ...["beltStatus", "seatOccupancy", "airbagStatus", "eCallInfo", "emergencyEvent"],
]);
const byRpc = new Map(
  Object.entries(rpcs).flatMap(([kind, names]) => names.map((name) => [name, kind as RiskKind] as const)),
);

/** What an RPC touches by itself, whatever its parameters. */
export function riskOfRpc(name: string): RiskKind {
  return byRpc.get(name) ?? "other";
}

/** What a parameter touches: parameters of groups and permissions are vehicle data. */
export function riskOfParameter(name: string): RiskKind {
  return places.has(name) ? "location" : persons.has(name) ? "driver" : "vehicle";
}

/** A place in the order of risks; the smaller, the riskier. */
export function riskRank(rpc: string, parameters: readonly string[]): number {
  const ranks = [riskOfRpc(rpc), ...parameters.map(riskOfParameter)].map((kind) => riskKinds.indexOf(kind));
  return Math.min(...ranks);
}
