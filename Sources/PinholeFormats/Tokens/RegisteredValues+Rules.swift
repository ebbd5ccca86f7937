import PinholeModel

extension RegisteredValues {
    /// The names of the kinds of rules (docs/RULES.md), as records of exchanges have them.
    static let ruleKinds: Set<String> = [
        "askProgram", "block", "breakpoint", "delay", "dropMessage", "injectMessage", "mapLocal", "mapRemote",
        "mock",
        "noCaching", "redirect", "removeAuthentication", "replay", "rewriteMessage", "rewriteRequest",
        "rewriteResponse", "setAuthentication", "throttle",
    ]
}
