import type { ReactNode } from "react";
import { FactList } from "@/app/_components/ui/fact-list";
import { Section } from "@/app/_components/ui/section";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import type { ApplicationJson } from "@/lib/apps/applications/answer-schema";
import { formatNumber } from "@/lib/vocabulary/format-number";

const none = <span className="text-muted">—</span>;

export function FactsSection({ app }: Readonly<{ app: ApplicationJson }>) {
  const isRemote = app.platform === "CLOUD" || app.platform === "EMBEDDED";
  const usesWebEngine = app.transport_type === "webengine";
  return (
    <Section title="General information" id="facts" flush>
      <FactList
        facts={[
          [
            "Description",
            <span key="d" className="whitespace-pre-line">
              {app.description || none}
            </span>,
          ],
          ["Display names", <Names key="n" names={app.display_names} />],
          ["Categories", app.categories.map(({ display_name }) => display_name).join(", ") || none],
          ["Countries", <Countries key="c" countries={app.countries} />],
          ["Platform", app.platform],
          ["Platform id", app.platform_app_id ?? none],
          ...(isRemote
            ? ([
                usesWebEngine
                  ? (["Entry point path", app.entrypoint_path ?? none] as const)
                  : (["Endpoint", app.cloud_endpoint ?? none] as const),
                ["Transport type", [app.transport_type, app.cloud_transport_type].filter(Boolean).join(", ") || none],
                [
                  "CA certificate of the endpoint",
                  app.ca_certificate === null ? none : <Pem key="ca" text={app.ca_certificate} />,
                ],
                ["Package", app.package_url ?? none],
                ["Package size", <Sizes key="s" app={app} />],
                ["Icon path in the package", app.icon_path ?? none],
              ] satisfies Fact[])
            : []),
          ["Developer version", app.developer_version ?? none],
          ["Version id", app.version_id ?? none],
          ["Record id", app.id],
          [
            "Short UUID",
            <code key="u" className="font-mono text-xs">
              {app.short_uuid}
            </code>,
          ],
          ["Lifecycle in the directory", app.status],
          ["Default HMI level", <StartLevel key="h" level={app.default_hmi_level} />],
          ["Background alerts", yesNo(app.can_background_alert)],
          ["Can steal focus", <StealsFocus key="f" may={app.can_steal_focus} />],
          ["Manages widgets", yesNo(app.can_manage_widgets)],
          ["Minimum RPC version", app.min_rpc_version ?? none],
          ["Minimum protocol version", app.min_protocol_version ?? none],
          ["Last update", <TimeAgo key="t" at={app.updated_ts} />],
          ["Created", <TimeAgo key="k" at={app.created_ts} />],
        ]}
      />
    </Section>
  );
}

type Fact = readonly [name: string, value: ReactNode];

const yesNo = (value: boolean) => (value ? "Yes" : "No");

function StartLevel({ level }: Readonly<{ level: ApplicationJson["default_hmi_level"] }>) {
  return (
    <>
      {level.replace("HMI_", "")}
      <Aside>
        The app’s HMI level at start, until the driver or the head unit changes it. Head units in PROPRIETARY or HTTP
        mode ignore it and start every app at NONE.
      </Aside>
    </>
  );
}

function StealsFocus({ may }: Readonly<{ may: boolean }>) {
  return (
    <>
      {yesNo(may)}
      <Aside>Head units in PROPRIETARY or HTTP mode ignore it.</Aside>
    </>
  );
}

function Aside({ children }: Readonly<{ children: ReactNode }>) {
  return <span className="block text-xs text-muted">{children}</span>;
}

function Names({ names }: Readonly<{ names: readonly string[] }>) {
  if (names.length === 0) return none;
  return (
    <>
      {names.join(", ")}
      <span className="block text-xs text-muted">The app must connect with one of these names.</span>
    </>
  );
}

function Countries({ countries }: Readonly<{ countries: ApplicationJson["countries"] }>) {
  if (countries.length === 0) return none;
  const names = countries.map(({ iso, name }) => name || iso).join(", ");
  if (countries.length <= 12) return names;
  return (
    <details>
      <summary className="cursor-pointer">{formatNumber(countries.length)} countries</summary>
      {names}
    </details>
  );
}

function Sizes({ app }: Readonly<{ app: ApplicationJson }>) {
  const { size_compressed_bytes: packed, size_decompressed_bytes: unpacked } = app;
  if (packed === null && unpacked === null) return none;
  const format = (size: number | null) => (size === null ? "unknown" : `${formatNumber(size)} bytes`);
  return `${format(packed)} packed, ${format(unpacked)} unpacked`;
}

function Pem({ text }: Readonly<{ text: string }>) {
  return (
    <details>
      <summary className="cursor-pointer">Show certificate</summary>
      <pre tabIndex={0} className="max-h-60 overflow-auto font-mono text-xs">
        {text}
      </pre>
    </details>
  );
}
