"use client";
import { Section } from "@/app/_components/section";
import { TextField } from "@/app/_components/text-field";
import type { StoredEndpoint } from "@/lib/policy/vocabulary";
import { Compared } from "./compared";
import type { FormPart } from "./editable";
import { IconPreview } from "./icon-preview";

const limit = "10 to 255 bytes";
const addresses = [
  { name: "0x04", label: "Software updates", hint: `Where head units ask for them. ${limit}` },
  { name: "queryAppsUrl", label: "Apps of iOS phones", hint: `Where head units ask for them. ${limit}` },
  { name: "lock_screen_icon_url", label: "Icon of the lock screen", hint: `An image. ${limit}` },
] as const;
const mapping = "custom_vehicle_data_mapping_url";

/** The addresses that head units are given. */
export function AddressFields(part: Readonly<FormPart>) {
  const { value } = part;
  return (
    <>
      <Section id="addresses" title="Addresses">
        <div className="space-y-4">
          {addresses.map((address) => (
            <Address key={address.name} {...address} {...part} />
          ))}
          <IconPreview url={value.endpoints.lock_screen_icon_url} />
        </div>
      </Section>
      <Section
        id="mapping"
        title="Vehicle data mapping"
        description="Where head units find how your vehicle data lie in the vehicle's network. The version tells them whether to load it again."
      >
        <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
          <Address name={mapping} label="Address" hint={`Empty, or ${limit}`} {...part} />
          <MappingVersion {...part} />
        </div>
      </Section>
    </>
  );
}

function Address({
  name,
  label,
  hint,
  value,
  set,
  production,
}: Readonly<FormPart & { name: StoredEndpoint; label: string; hint: string }>) {
  const address = value.endpoints[name];
  const change = (text: string) => set?.({ endpoints: { ...value.endpoints, [name]: text } });
  const isUnsafe = address.startsWith("http://");
  return (
    <TextField
      label={label}
      name={`endpoints.${name}`}
      type="url"
      inputMode="url"
      spellCheck={false}
      hint={
        <>
          {hint}
          {isUnsafe && <span className="block text-warn">Not encrypted: https is safer than http.</span>}
        </>
      }
      aside={set && <Compared value={address} production={production?.endpoints[name]} onRevert={change} />}
      value={address}
      {...(set && { onChange: change })}
    />
  );
}

function MappingVersion({ value, set, production }: Readonly<FormPart>) {
  const versionOf = (properties: typeof value.endpoint_properties) => properties[mapping]?.version ?? "";
  const version = versionOf(value.endpoint_properties);
  function change(text: string) {
    const { version: _version, ...others } = value.endpoint_properties[mapping] ?? {};
    const own = text === "" ? others : { ...others, version: text };
    set?.({ endpoint_properties: { ...value.endpoint_properties, [mapping]: own } });
  }
  return (
    <TextField
      label="Version"
      name={`endpoint_properties.${mapping}.version`}
      aside={
        set && (
          <Compared
            value={version}
            production={production ? versionOf(production.endpoint_properties) : undefined}
            onRevert={change}
          />
        )
      }
      value={version}
      {...(set && { onChange: change })}
    />
  );
}
