import { expect, it } from "vitest";
import {
  emptyNode,
  type FormSource,
  toBody,
  toForm,
  toPolicyItem,
  uselessLimits,
} from "@/app/(console)/vehicledata/item-form";
import { vehicleDataBody } from "@/lib/records/vehicle-data/schema";
import { buildContent } from "@/lib/records/vehicle-data/rules";
import { buildWireVehicleData, vehicleDataTemplate } from "@/lib/records/vehicle-data/wire";

const aWireNode = (partial: Partial<FormSource>): FormSource => ({ ...vehicleDataTemplate, key: "K", ...partial });
const item = aWireNode({
  name: "cabinScent",
  type: "Struct",
  params: [
    aWireNode({ name: "level", type: "Integer", mandatory: true, min_value: 0, max_value: 10 }),
    aWireNode({ name: "tags", type: "String", array: true, max_length: 40, min_size: 1 }),
  ],
});

it("14.3: what is loaded is sent as it was", () => {
  const body = vehicleDataBody.parse(toBody(toForm(item), 7));
  expect(body.baseId).toBe(7);
  expect(buildWireVehicleData(buildContent(body.tree))).toMatchObject(item);
});

it("2.9.2: limits that mean nothing for the type are sent as none", () => {
  const form = toForm(aWireNode({ name: "a", type: "Boolean", min_length: 1, max_value: 3, max_size: 4 }));
  expect(uselessLimits(form)).toEqual(["minLength", "maxSize", "maxValue"]);
  expect(toBody(form, null)).toMatchObject({ min_length: null, max_value: null, max_size: null });
  expect(toPolicyItem(form)).toMatchObject({ minLength: null, maxValue: null, maxSize: null });
});

it("2.9.2: nothing at the top is mandatory", () => {
  const form = { ...toForm(item), mandatory: true };
  expect(toBody(form, null)).toMatchObject({ mandatory: false, params: [{ mandatory: true }, { mandatory: false }] });
  expect(toPolicyItem(form).mandatory).toBe(false);
});

it("2.9.2: what is no number is sent as typed, for the server to refuse", () => {
  const form = { ...toForm(aWireNode({ name: "a", type: "Integer" })), minValue: "abc", maxValue: " 12 " };
  expect(toBody(form, 0)).toMatchObject({ min_value: "abc", max_value: 12, base_id: 0 });
  expect(() => vehicleDataBody.parse(toBody(form, 0))).toThrow("min_value must be an integer");
});

it("equal items give equal forms, and siblings of one name are told apart", () => {
  expect(toForm(item)).toEqual(toForm(structuredClone(item)));
  const twins = toForm({ ...item, params: [aWireNode({ name: "a/b" }), aWireNode({ name: "a/b" })] });
  expect(twins.params.map(({ uid }) => uid)).toEqual(["root/a%2Fb", "root/a%2Fb#2"]);
  expect(emptyNode("x").params).toEqual([]);
});
