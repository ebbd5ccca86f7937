import ArgumentParser
import PinholeFormats

/// `--format` takes a notation by its name.
extension PinNotation: ExpressibleByArgument {}
