import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRpcSpecification } from "@/example-directory/rpc-specification";
import { buildSpecification, listSpecifiedLanguages } from "@/lib/records/rpc-specification/build";
import { SpecificationRefused } from "@/lib/records/rpc-specification/errors";
import { readXml } from "@/lib/records/rpc-specification/xml";
import { readSeed, buildRpcSpecification } from "@/lib/exchange/seed/files";
import { seedFiles } from "@/lib/exchange/seed/schema";
import { RpcSpecificationModel } from "@/models/rpc-specification";
import { runs } from "@/test/support/extent";
import { anRpcSpecification } from "@/test/support/rpc-specification";

const build = (text: string) => buildSpecification(readXml(text));
const built = (inside: string) => build(anRpcSpecification(inside)).specification;
const struct = (inside: string) => `<struct name="S">${inside}</struct>`;
const languages = (text: string) => listSpecifiedLanguages(readXml(text));

describe("3.7: the specification", () => {
  it("is that of the seed folder when that is what is read", async () => {
    const { specification, leftOut } = build(await readRpcSpecification(process.cwd()));
    const read = await readSeed(process.cwd(), seedFiles.rpcSpec);
    const { storedAt: _, ...seed } = buildRpcSpecification(read, new Date());
    expect(leftOut).toEqual([]);
    // What is no list is stored without saying so from the folder, and means the same (V6).
    const plain = (text: string) => JSON.parse(text.replaceAll(/"array":false,?/g, "").replaceAll(",}", "}"));
    expect(plain(JSON.stringify(specification))).toEqual(plain(JSON.stringify(seed)));
    await new RpcSpecificationModel({ ...specification, _id: 1, storedAt: new Date() }).validate();
  });

  it("has every attribute that is stored, under its name", async () => {
    const history = 'since="1.0" until="2.0" deprecated="true" removed="false"';
    const limits = 'minlength="0" maxlength="10" minsize="1" maxsize="2" minvalue="-1.5" maxvalue="+1000.25"';
    const member = `name="m" ${history} rootscreen="true" mandatory="false" value="7" hexvalue="0x07" internal_name="M"
      ${limits} array="true" platform="MobileNav" defvalue="x y"`;
    const { enums, structs, functions } = built(`
      <enum name="E" ${history} internal_scope="base" platform="documentation" colour="red">
        <element ${member} type="Image"/>
      </enum>
      <struct name="S" ${history} internal_scope="base" platform="documentation"><param ${member} type="Integer"/></struct>
      <function name="F" functionID="FID" messagetype="notification" ${history} internal_scope="base">
        <param ${member} type="Integer"/>
      </function>`);
    const facts = { since: "1.0", until: "2.0", deprecated: true, removed: false };
    const stored = {
      ...{ name: "m", ...facts, rootscreen: true, mandatory: false, value: 7, hexvalue: "0x07", internalName: "M" },
      ...{ minlength: 0, maxlength: 10, minsize: 1, maxsize: 2, minvalue: -1.5, maxvalue: 1000.25 },
      ...{ array: true, platform: "MobileNav", defvalue: "x y" },
    };
    const type = { ...facts, internalScope: "base", platform: "documentation" };
    expect(enums[1]).toEqual({ name: "E", ...type, elements: [{ ...stored, type: "Image" }] });
    expect(structs[1]).toEqual({ name: "S", ...type, params: [{ ...stored, type: "Integer" }] });
    const head = { name: "F", functionId: "FID", messageType: "notification", ...facts, internalScope: "base" };
    expect(functions[1]).toEqual({ ...head, params: [{ ...stored, type: "Integer" }] });
    const document = { _id: 1, version: "1", storedAt: new Date(), enums, structs, functions };
    await new RpcSpecificationModel(document).validate();
  });

  it("leaves out what is no number or no boolean, and says where", () => {
    const { specification, leftOut } = build(
      anRpcSpecification(`<struct name="S" deprecated="yes">
        <param name="p" type="Integer" minvalue="" maxvalue="0x10" maxlength="1e99" minsize=" 1" array="TRUE"/>
      </struct>`),
    );
    expect(specification.structs[1]).toEqual({ name: "S", params: [{ name: "p", type: "Integer", minsize: 1 }] });
    expect(leftOut).toEqual([
      "struct S: deprecated",
      "struct S, param p: maxlength",
      "struct S, param p: maxvalue",
      "struct S, param p: array",
    ]);
  });

  it("keeps document order, also of types that are mixed", () => {
    const { enums, structs } = built(`
      <struct name="Z"/><enum name="Y"><element name="2"/><element name="1"/></enum><struct name="A"/><enum name="B"/>`);
    expect(structs.map(({ name }) => name)).toEqual(["Image", "Z", "A"]);
    expect(enums.map(({ name }) => name)).toEqual(["Language", "Y", "B"]);
    expect(enums[1]?.elements.map(({ name }) => name)).toEqual(["2", "1"]);
  });

  it("counts direct children only: no history, no values of a parameter, no comments, no texts", () => {
    const { enums, structs, functions } = built(`
      <!-- <enum name="Comment"/> --><description><![CDATA[<enum name="Text"/>]]></description>
      <history><enum name="Old"/><struct/></history>
      <enum name="E">
        <element name="NEW"><history><element name="OLD" since="1"/></history></element>
        <history><element/></history>
      </enum>
      <function name="F" messagetype="request">
        <param name="p" type="E"><element name="NEW"/><element/><history><param name="p" type="Old"/></history></param>
      </function>`);
    expect(enums.slice(1)).toEqual([{ name: "E", elements: [{ name: "NEW" }] }]);
    expect(structs).toHaveLength(1);
    expect(functions.slice(1)).toEqual([{ name: "F", messageType: "request", params: [{ name: "p", type: "E" }] }]);
  });

  it("skips functions without parameters, and tells functions apart by name and message type", () => {
    const f = (type: string, param: string) =>
      `<function name="F" messagetype="${type}"><param name="${param}" type="Integer"/></function>`;
    const { functions } = built(
      `<function name="F" messagetype="notification"/>${f("request", "a")}${f("response", "b")}${f("request", "c")}`,
    );
    expect(functions.slice(1).map(({ messageType, params }) => [messageType, params[0]?.name])).toEqual([
      ["request", "a"],
      ["response", "b"],
    ]);
  });

  it.each([
    ["no enumerations", anRpcSpecification().replace(/<enum[^]*<\/enum>/, ""), 'no element "enum"'],
    ["no structs", anRpcSpecification().replace(/<struct[^]*<\/struct>/, ""), 'no element "struct"'],
    ["no functions", anRpcSpecification().replace(/<function[^]*<\/function>/, ""), 'no element "function"'],
    ["an enumeration without name", anRpcSpecification("<enum/>"), 'an element "enum" has no name'],
    ["a struct with an empty name", anRpcSpecification('<struct name=""/>'), 'an element "struct" has no name'],
    ["a function without name", anRpcSpecification('<function messagetype="request"/>'), '"function" has no name'],
    ["an element without name", anRpcSpecification('<enum name="E"><element/></enum>'), "of enum E has no name"],
    ["a param without name", anRpcSpecification(struct('<param type="I"/>')), "of struct S has no name"],
    ["a param without type", anRpcSpecification(struct('<param name="p"/>')), "param p of struct S has no"],
    ["a function without message type", anRpcSpecification('<function name="F"/>'), "function F has no messagetype"],
    ["a name that head units refuse", anRpcSpecification('<struct name="a b"/>'), "holds a blank"],
    ["a long name", anRpcSpecification(`<struct name="${"x".repeat(256)}"/>`), "too long a name"],
    ["no version", anRpcSpecification("", 'date="2030-01-01"'), "the root element has no version"],
    ["a document type", `<!DOCTYPE interface>${anRpcSpecification()}`, "a document type declaration"],
    ["two roots", `${anRpcSpecification()}<interface/>`, "not well-formed"],
    ["text behind the root", `${anRpcSpecification()}x`, "not well-formed"],
    ["a web page", "<html><body><br></body></html>", "not well-formed"],
    ["another document", "<rss><channel/></rss>", 'no element "enum"'],
    ["nothing", "", "not well-formed"],
    ["no XML", '{"version":"9"}', "not well-formed"],
    ["names of prototypes", "<__proto__/>", "not well-formed"],
    ["deep nesting", `${"<a>".repeat(500)}${"</a>".repeat(500)}`, "not well-formed"],
  ])("is refused as a whole: %s", (_, text, sentence) => {
    expect(() => build(text)).toThrow(SpecificationRefused);
    expect(() => build(text)).toThrow(sentence);
  });

  it("is refused wherever it was cut off", () => {
    const text = anRpcSpecification().trimEnd();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: text.length - 1 }), (length) => {
        expect(() => build(text.slice(0, length))).toThrow(SpecificationRefused);
      }),
    );
  });

  it("takes a mark of the byte order", () =>
    expect(build(`\uFEFF${anRpcSpecification()}`).specification.version).toBe("9.0.0"));

  it("is refused when its vehicle data would fill the memory, not when a struct holds itself", () => {
    const level = (depth: number, width: number) =>
      `<struct name="S${depth}">${Array.from({ length: width }, (_, at) => `<param name="p${at}" type="S${depth + 1}"/>`).join("")}</struct>`;
    const response = '<function name="GetVehicleData" messagetype="response"><param name="a" type="S0"/></function>';
    const spec = (inside: string) => anRpcSpecification(inside).replace(/<function[^]*<\/function>/, response);
    const wide = Array.from({ length: 8 }, (_, depth) => level(depth, 10)).join("");
    expect(() => build(spec(wide))).toThrow("too many");
    const deep = Array.from({ length: 5000 }, (_, depth) => level(depth, 1)).join("");
    expect(() => build(spec(deep))).toThrow("too many");
    const own = '<struct name="S0"><param name="s" type="S0"/></struct>';
    expect(build(spec(own)).specification.structs).toHaveLength(2);
  });

  it("is refused when it is too large to be stored", () => {
    const params = Array.from({ length: 30_000 }, (_, at) => `<param name="p${at}" type="${"x".repeat(200)}"/>`);
    expect(() => build(anRpcSpecification(struct(params.join(""))))).toThrow("too large to be stored");
  });
});

describe("3.7: the language list", () => {
  it("is the enumeration Language in lower case, each once, without what can be none", () => {
    const text = anRpcSpecification().replace(
      '<element name="XX-YY"/>',
      '<element name="En-Us"/><element name="SR-LATN-RS"/><element name="no language"/><element name="-"/><element name="$x"/>',
    );
    expect(languages(text)).toEqual({ languages: ["en-us", "sr-latn-rs"], leftOut: ["no language", "-", "$x"] });
  });

  it("needs nothing else of the document", () => {
    const text = '<interface><enum name="Language"><element name="EN-US"/></enum></interface>';
    expect(languages(text).languages).toEqual(["en-us"]);
  });

  it.each([
    ["there is no such enumeration", '<interface><enum name="Result"><element name="EN-US"/></enum></interface>'],
    ["it is in the past", '<a><history><enum name="Language"><element name="EN-US"/></enum></history></a>'],
    ["it is empty", '<a><enum name="Language"/></a>'],
    ["an element has no name", '<a><enum name="Language"><element name="EN-US"/><element/></enum></a>'],
    ["none is usable", '<a><enum name="Language"><element name="?"/></enum></a>'],
  ])("is refused when %s", (_, text) => expect(() => languages(text)).toThrow(SpecificationRefused));
});

it("whatever the text is, it is read or refused", () => {
  const tag = fc.constantFrom("enum", "struct", "function", "element", "param", "history", "interface", "a");
  const attribute = fc
    .tuple(fc.constantFrom("name", "type", "messagetype", "version", "since", "x", "constructor"), fc.string())
    .map(([name, value]) => `${name}="${value}"`);
  const xml = fc.letrec<{ node: string }>((tie) => ({
    node: fc
      .tuple(
        tag,
        fc.array(attribute, { maxLength: 3 }),
        fc.array(fc.oneof({ maxDepth: 3 }, fc.string(), tie("node")), { maxLength: 4 }),
      )
      .map(([name, attributes, inside]) => `<${name} ${attributes.join(" ")}>${inside.join("")}</${name}>`),
  })).node;
  const changed = fc.tuple(fc.nat(), fc.nat({ max: 30 }), fc.string()).map(([at, length, put]) => {
    const text = anRpcSpecification();
    const from = at % text.length;
    return text.slice(0, from) + put + text.slice(from + length);
  });
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), xml, changed), (text) => {
      for (const read of [build, languages]) {
        try {
          read(text);
        } catch (error) {
          expect(error).toBeInstanceOf(SpecificationRefused);
        }
      }
    }),
    { numRuns: runs(1000) },
  );
});
