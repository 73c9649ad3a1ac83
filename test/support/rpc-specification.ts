export function anRpcSpecification(
  inside = "",
  attributes = 'version="9.0.0" minVersion="1.0" date="2030-01-01"',
): string {
  return `<?xml version="1.0" standalone="no"?>
<?xml-stylesheet type="text/xml" href="protocol2html.xsl"?>
<interface name="SmartDeviceLink RAPI" ${attributes}>
    <enum name="Language" since="1.0">
        <description>Show->this &amp; that</description>
        <element name="EN-US" internal_name="EN_US"><description>English</description></element>
        <element name="XX-YY"/>
    </enum>
    <struct name="Image" since="1.0"><param name="value" type="String" mandatory="true" maxlength="255"/></struct>
    <function name="GetVehicleData" functionID="GetVehicleDataID" messagetype="response" since="2.0">
        <param name="image" type="Image" mandatory="false"/>
    </function>
    ${inside}
</interface>
`;
}
