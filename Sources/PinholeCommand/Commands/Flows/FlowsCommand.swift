import ArgumentParser

/// `pinhole flows`.
struct FlowsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flows",
        abstract: "List, show, export, compare, redact recorded traffic.",
        discussion: """
            An exchange is a request with its response. A flow is a connection of a client, with all of its exchanges; a
            failed TLS handshake and a relayed tunnel are flows without exchanges.

            EXAMPLES
              pinhole flows list --host '*.example.com' --status 4xx
              pinhole flows list --failed --since 10m
              pinhole flows list 'grpc & header[grpc-status] != 0'
              pinhole flows list --follow --json
              pinhole flows show 12
              pinhole flows stats --by process --sort bytes
              pinhole flows export --har all.har
              pinhole flows export --curl 12 | sh
              pinhole flows import session.har --into old.sqlite
              pinhole flows save --into errors.sqlite 'status >= 500'
              pinhole flows diff before.sqlite after.sqlite
              pinhole flows redact pinhole.sqlite clean.sqlite
              pinhole flows merge monday.sqlite tuesday.sqlite --into week.sqlite
            """,
        subcommands: [
            FlowsListCommand.self, FlowsShowCommand.self, FlowsExportCommand.self, FlowsImportCommand.self,
            FlowsSaveCommand.self, FlowsMergeCommand.self, FlowsDiffCommand.self,
            FlowsRedactCommand.self, FlowsLeaksCommand.self, FlowsStatsCommand.self, FlowsFilterCommand.self,
        ]
    )
}
