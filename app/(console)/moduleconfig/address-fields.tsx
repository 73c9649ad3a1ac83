import { Section } from "@/app/_components/ui/section";
import { TextField } from "@/app/_components/fields/text-field";
import type { StoredEndpoint } from "@/lib/vocabulary/terms";
import { Compared } from "./compared";
import { endpointLabels, type FormPart, mappingVersion } from "./editable";
import { ImageOff } from "lucide-react";
import { useState } from "react";

const limit = "10 to 255 bytes";
const addresses = [
  { name: "0x04", hint: `Where head units find them. ${limit}` },
  { name: "queryAppsUrl", hint: `Where head units find them. ${limit}` },
  { name: "lock_screen_icon_url", hint: `An image. ${limit}` },
] as const;

export function AddressFields(part: Readonly<FormPart>) {
  const { value } = part;
  return (
    <>
      <Section id="addresses" title="Addresses">
        <div className="space-y-4">
          {addresses.map((address) => (
            <Address key={address.name} {...address} label={endpointLabels[address.name]} {...part} />
          ))}
          <IconPreview url={value["endpoints.lock_screen_icon_url"]} />
        </div>
      </Section>
      <Section
        id="mapping"
        title="Vehicle data mapping"
        description="Where head units find how your vehicle data maps to the vehicle’s network. They reload it when the version changes."
      >
        <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
          <Address name="custom_vehicle_data_mapping_url" label="Address" hint={`Empty, or ${limit}`} {...part} />
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
  const member = `endpoints.${name}` as const;
  const address = value[member];
  const change = (text: string) => set?.({ [member]: text });
  const isUnsafe = address.startsWith("http://");
  return (
    <TextField
      label={label}
      name={member}
      type="url"
      inputMode="url"
      spellCheck={false}
      hint={
        <>
          {hint}
          {isUnsafe && <span className="block text-warn">Not encrypted. Use https instead of http.</span>}
        </>
      }
      aside={set && <Compared value={address} production={production?.[member]} onRevert={change} />}
      value={address}
      onChange={set && change}
    />
  );
}

function MappingVersion({ value, set, production }: Readonly<FormPart>) {
  const version = value[mappingVersion];
  const change = (text: string | null) => set?.({ [mappingVersion]: text === "" ? null : text });
  return (
    <TextField
      label="Version"
      name={mappingVersion}
      aside={set && <Compared value={version} production={production?.[mappingVersion]} onRevert={change} />}
      value={version ?? ""}
      onChange={set && change}
    />
  );
}

function IconPreview({ url }: Readonly<{ url: string }>) {
  const [failed, setFailed] = useState<string | null>(null);
  // The Content-Security-Policy allows images over https only.
  const isShown = url.startsWith("https://") && failed !== url;
  return (
    <div className="flex items-center gap-3 text-xs text-muted">
      <span className="grid size-14 shrink-0 place-items-center overflow-hidden rounded-card border border-line bg-page">
        {isShown ? (
          // An administrator typed this address: nothing to optimize in advance.
          // oxlint-disable-next-line next/no-img-element
          <img
            src={url}
            alt="Lock screen icon"
            referrerPolicy="no-referrer"
            className="max-h-full max-w-full"
            onError={() => setFailed(url)}
          />
        ) : (
          <ImageOff aria-hidden="true" className="size-5" />
        )}
      </span>
      {isShown ? "The icon at this address." : "No preview: the address is not https, or there is no image."}
    </div>
  );
}
