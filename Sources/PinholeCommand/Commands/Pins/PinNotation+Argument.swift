import ArgumentParser
import PinholeConsole

/// `--format` takes a notation by its name.
extension PinNotation: ExpressibleByArgument {}
