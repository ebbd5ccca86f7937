// Written by make reference from the fields of the program: ExchangeFields and FlowFields.

/** The fields that columns show. @type {{ id: string, title: string, name?: string, member: string, isNumber?: boolean, sort?: string }[]} */
export const fields = [
  { id: "id", title: "#", name: "Number", member: "id", isNumber: true, sort: "id" },
  { id: "flow", title: "Flow", member: "flow", isNumber: true, sort: "flow" },
  { id: "time", title: "Time", member: "started", isNumber: true, sort: "time" },
  { id: "method", title: "Method", member: "method", sort: "method" },
  { id: "scheme", title: "Scheme", member: "scheme", sort: "scheme" },
  { id: "host", title: "Host", member: "host", sort: "host" },
  { id: "port", title: "Port", member: "port", isNumber: true, sort: "port" },
  { id: "path", title: "Path", member: "", sort: "path" },
  { id: "url", title: "URL", member: "url", sort: "url" },
  { id: "status", title: "Status", member: "status", isNumber: true, sort: "status" },
  { id: "sent", title: "Sent", name: "Size of the request", member: "requestBytes", isNumber: true, sort: "request.size" },
  { id: "size", title: "Size", name: "Size of the response", member: "responseBytes", isNumber: true, sort: "response.size" },
  { id: "duration", title: "Duration", member: "milliseconds", isNumber: true, sort: "duration" },
  { id: "cause", title: "Cause", member: "cause" },
  { id: "response.server", title: "Server", name: "Server software", member: "responseServer", sort: "response.server" },
  { id: "graphql", title: "GraphQL", name: "GraphQL operation", member: "graphql", sort: "graphql" },
  { id: "notes", title: "Notes", member: "notes" },
  { id: "user", title: "User", name: "Proxy user", member: "proxyUser", sort: "proxy.user" },
  { id: "tls.group", title: "Group", name: "TLS group of the client", member: "tlsGroup", sort: "tls.group" },
  { id: "tls.ja4", title: "JA4", name: "JA4 fingerprint of the client", member: "ja4", sort: "tls.ja4" },
  { id: "client", title: "Client", member: "client", sort: "client" },
  { id: "process", title: "Process", name: "Client process", member: "", sort: "process" },
];
