Feature: Distinct attributes
  A distinctAttribute constraint demands that all devices of the requests it covers have an attribute and
  that no two of them have the same value. It keeps the shares of a claim on different devices.

  Rule: Devices with the same value do not go together

    @case:distinctattribute-moves-the-second-share-to-another
    @KEP-5075/constraint/distinct-two-devices-chosen
    Scenario: distinctAttribute moves the second share to another device, although the first has room for both
      Given the devices
        | device | shared | capacity bandwidth | policy bandwidth                | attribute dra.example.com/name |
        | eth1   | yes    | 4                  | default 2, min 2, step 2, max 4 | string v1                      |
        | eth2   | yes    | 4                  | default 2, min 2, step 2, max 4 | string v2                      |
      And a claim "c" with the requests
        | request | capacity bandwidth |
        | r0      | 2                  |
        | r1      | 2                  |
      And claim "c" needs distinct "dra.example.com/name"
      When allocation of claim "c" is attempted
      Then claim "c" has the results
        | device | consumed bandwidth | share |
        | eth1   | 2                  | yes   |
        | eth2   | 2                  | yes   |
