import PinholeModel
import PinholeSession

extension FileDescriptorOutput {
    /// Writes text for users or lines of JSON; control characters become visible, except Pinhole's colours.
    @discardableResult
    static func write(_ text: String, to descriptor: Int32) -> Bool {
        let isColourful = Style.forDescriptor(descriptor).isColourful
        return write(Array(TerminalText.page(text, keepingColours: isColourful).utf8), to: descriptor)
    }
}
