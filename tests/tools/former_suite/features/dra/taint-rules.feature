Feature: DeviceTaintRules
  An administrator taints devices with a DeviceTaintRule, which adds one taint to all devices that its selector
  matches. The ResourceSlices of the driver do not change.

  @profile:kep @profile:until-1.34
  Rule: Selection by DeviceClass and CEL

    Background:
      Given the devices
        | device | driver            | attribute dra.example.com/color | attribute dra.example.com/uuid |
        | d1     | dra.example.com   | string black                    | string X                       |
        | d2     | dra.example.com   | string white                    | string Y                       |
        | d3     | other.example.com | string black                    | string Z                       |
        | d4     | other.example.com | string white                    |                                |
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a device class "every"

    @case:missing-class-rule
    @DRA/taint-rule/select-by-class
    Scenario: A DeviceTaintRule for a DeviceClass that does not exist taints no device
      Given the device taint rule "maintenance"
        | class | taint             |
        | brown | broken:NoSchedule |
      And a claim "c" requesting all devices
      When allocation of claim "c" is attempted
      Then claim "c" gets 4 devices
