/** What a permission gives access to, riskiest first, in the order of display. */
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

/** The areas within a sentence. */
export const areaNames: Readonly<Record<RiskKind, string>> = {
  location: "location",
  driver: "driver and VIN data",
  vehicle: "vehicle data",
  control: "remote control",
  microphone: "microphone and calls",
  other: "other RPCs",
};
/** Areas that concern people. Pages highlight gains in them. */
export const sensitiveKinds: ReadonlySet<RiskKind> = new Set(["location", "driver", "control", "microphone"]);

/** The RPCs whose parameters are vehicle data. Without parameters, they cover all of it. */
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
/** Vehicle data that reveals the vehicle's location. */
const places: ReadonlySet<string> = new Set(["gps", "heading"]);
/** Vehicle data that identifies the vehicle, or describes its driver and passengers: phone, belts, accident. */
const persons: ReadonlySet<string> = new Set([
  ...["vin", "cloudAppVehicleID", "myKey", "deviceStatus", "driverBraking", "handsOffSteering"],
  ...["beltStatus", "seatOccupancy", "airbagStatus", "eCallInfo", "emergencyEvent"],
]);
const byRpc = new Map(
  Object.entries(rpcs).flatMap(([kind, names]) => names.map((name) => [name, kind as RiskKind] as const)),
);

/** The area of an RPC without its parameters. */
export function riskOfRpc(name: string): RiskKind {
  return byRpc.get(name) ?? "other";
}

/** The area of a parameter. Parameters of groups and permissions are vehicle data. */
export function riskOfParameter(name: string): RiskKind {
  return places.has(name) ? "location" : persons.has(name) ? "driver" : "vehicle";
}

/** The rank of a risk; lower is riskier. */
export function riskRank(rpc: string, parameters: readonly string[]): number {
  const ranks = [riskOfRpc(rpc), ...parameters.map(riskOfParameter)].map((kind) => riskKinds.indexOf(kind));
  return Math.min(...ranks);
}
