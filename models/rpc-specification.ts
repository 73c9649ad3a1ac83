import { Schema } from "mongoose";
import { modelOf, part } from "./parts";

const text = { type: String, default: undefined } as const;
const number = { type: Number, default: undefined } as const;
const yesNo = { type: Boolean, default: undefined } as const;
const history = { since: text, until: text, deprecated: yesNo, removed: yesNo } as const;

/** Members of enum elements and parameters. Limits keep the specification's spelling, as in policy tables. */
const member = {
  name: { type: String, required: true },
  ...history,
  rootscreen: yesNo,
  mandatory: yesNo,
  value: number,
  hexvalue: text,
  internalName: text,
  minlength: number,
  maxlength: number,
  minsize: number,
  maxsize: number,
  minvalue: number,
  maxvalue: number,
  array: yesNo,
  platform: text,
  defvalue: text,
} as const;
const element = new Schema({ ...member, type: { type: String, default: undefined } }, part);
const param = new Schema({ ...member, type: { type: String, required: true } }, part);

const facts = {
  name: { type: String, required: true },
  ...history,
  internalScope: text,
  platform: text,
} as const;
const enumeration = new Schema({ ...facts, elements: [element] }, part);
const struct = new Schema({ ...facts, params: [param] }, part);
const rpcFunction = new Schema(
  {
    ...facts,
    messageType: { type: String, required: true },
    functionId: text,
    params: [param],
  },
  part,
);
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    version: { type: String, required: true },
    minVersion: { type: String, default: null },
    date: { type: String, default: null },
    storedAt: { type: Date, required: true },
    enums: [enumeration],
    structs: [struct],
    functions: [rpcFunction],
  },
  { collection: "rpc_specifications", strict: "throw" },
);
schema.index({ version: 1 }, { unique: true });

export const RpcSpecificationModel = modelOf("RpcSpecification", schema);
