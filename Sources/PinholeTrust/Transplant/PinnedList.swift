/// A list of pins, one of which has to match.
package struct PinnedList: Hashable, Sendable {
    /// What the pins are compared with.
    package let position: PolicyOutline.PinList.Position
    /// The pins, in the order of the settings.
    package let values: [PinnedValue]

    /// Creates a list.
    package init(_ position: PolicyOutline.PinList.Position, _ values: [PinnedValue]) {
        self.position = position
        self.values = values
    }
}
