Feature: Sharing devices
  A device that allows multiple allocations is given to any number of requests, in one claim or in several.
  Any other device is given to one request at a time.

  Rule: A device that allows multiple allocations is given out again

    @case:two-claims-without-capacity-share-a-device-whose
    @KEP-5075/allocation/multi-allocatable-many-times
    Scenario: Two claims without capacity share a device whose default is half of it
      Given the devices
        | device | shared | capacity bandwidth | policy bandwidth                |
        | eth1   | yes    | 4                  | default 2, min 2, step 2, max 4 |
      And a claim "a" requesting no capacity
      And a claim "b" requesting no capacity
      When allocation of the claims "a, b" together is attempted
      Then claim "a" gets exactly
        | request | device | consumed bandwidth | share |
        | r0      | eth1   | 2                  | yes   |
      And claim "b" gets exactly
        | request | device | consumed bandwidth | share |
        | r0      | eth1   | 2                  | yes   |

    @case:a-claim-is-refused-where-two-default-shares-use-up
    @KEP-5075/allocation/multi-allocatable-many-times
    Scenario: A claim is refused where two default shares use up the device
      Given the devices
        | device | shared | capacity bandwidth | policy bandwidth                |
        | eth1   | yes    | 4                  | default 2, min 2, step 2, max 4 |
      And claim "other" already holds
        | device | request | consumed bandwidth | share |
        | eth1   | r0      | 2                  | s1    |
        | eth1   | r1      | 2                  | s2    |
      And a claim "c" requesting no capacity
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientCapacity

    @case:two-requests-of-one-claim-share-a-device
    @KEP-5075/allocation/same-claim-two-requests-same-device
    Scenario: Two requests of one claim share a device
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |
      And a claim "c" with the requests
        | request | capacity bandwidth |
        | r1      | 4                  |
        | r2      | 6                  |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | r1      | eth1   | 4                  | yes   |
        | r2      | eth1   | 6                  | yes   |

    @case:two-requests-of-one-claim-do-not-share-a-dedicated
    @KEP-5075/allocation/same-claim-two-requests-same-device
    Scenario: Two requests of one claim do not share a dedicated device
      Given the devices
        | device | capacity bandwidth |
        | eth1   | 10                 |
      And a claim "c" with the requests
        | request | capacity bandwidth |
        | r1      | 4                  |
        | r2      | 6                  |
      When allocation of claim "c" is attempted
      Then nothing fits

    @case:without-a-constraint-one-claim-gets-two-shares-of
    @KEP-5075/allocation/no-implicit-distinctness
    Scenario: Without a constraint one claim gets two shares of the only device
      Given the devices
        | device | shared | capacity memory |
        | gpu    | yes    | 8Gi             |
      And a claim "c" with the requests
        | request | capacity memory |
        | vgpu-1  | 4Gi             |
        | vgpu-2  | 4Gi             |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed memory | share |
        | vgpu-1  | gpu    | 4Gi             | yes   |
        | vgpu-2  | gpu    | 4Gi             | yes   |

    @case:two-shares-of-one-claim-may-be-placed-on-two-devices
    @KEP-5075/allocation/no-implicit-distinctness
    Scenario: Two shares of one claim may be placed on two devices in any way
      Given the devices
        | device | shared | capacity memory |
        | gpu-1  | yes    | 8Gi             |
        | gpu-2  | yes    | 8Gi             |
      And a claim "c" with the requests
        | request | capacity memory |
        | vgpu-1  | 4Gi             |
        | vgpu-2  | 4Gi             |
      When allocation of claim "c" is attempted
      Then claim "c" gets one of
        | choice | request | device | consumed memory |
        | 1      | vgpu-1  | gpu-1  | 4Gi             |
        | 1      | vgpu-2  | gpu-1  | 4Gi             |
        | 2      | vgpu-1  | gpu-1  | 4Gi             |
        | 2      | vgpu-2  | gpu-2  | 4Gi             |
        | 3      | vgpu-1  | gpu-2  | 4Gi             |
        | 3      | vgpu-2  | gpu-1  | 4Gi             |
        | 4      | vgpu-1  | gpu-2  | 4Gi             |
        | 4      | vgpu-2  | gpu-2  | 4Gi             |

    @case:a-claim-may-get-a-share-of-a-used-device-or-of-a
    @KEP-5075/allocation/pending-selection-unspecified
    Scenario: A claim may get a share of a used device or of a free one
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |
        | eth2   | yes    | 10                 |
      And claim "other" already holds
        | device | consumed bandwidth | share |
        | eth1   | 2                  | s1    |
      And a claim "c" requesting 4 of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" gets one of
        | choice | request | device | consumed bandwidth |
        | 1      | r0      | eth1   | 4                  |
        | 2      | r0      | eth2   | 4                  |

  Rule: Any other device is given out once at a time

    @case:a-held-device-with-allowmultipleallocations-is
    @KEP-5075/allocation/dedicated-only-once @KEP-5075/allocation/unset-equals-false
    Scenario Outline: A held device with allowMultipleAllocations <flag> is refused to a claim asking <what>
      Given the devices
        | device | shared   | capacity bandwidth |
        | eth1   | <shared> | 10                 |
      And claim "other" already holds
        | device |
        | eth1   |
      And a claim "c" requesting <what>
      When allocation of claim "c" is attempted
      Then nothing fits because of DeviceInUse

      Examples:
        | shared | flag  | what             |
        | no     | false | 1 of "bandwidth" |
        |        | unset | 1 of "bandwidth" |
        | no     | false | no capacity      |
        |        | unset | no capacity      |

    @case:two-claims-do-not-get-one-device-with
    @KEP-5075/allocation/dedicated-only-once
    Scenario Outline: Two claims do not get one device with allowMultipleAllocations <flag>
      Given the devices
        | device | shared   | capacity bandwidth |
        | eth1   | <shared> | 10                 |
      And a claim "a" requesting 1 of "bandwidth"
      And a claim "b" requesting 1 of "bandwidth"
      When allocation of the claims "a, b" together is attempted
      Then nothing fits

      Examples:
        | shared | flag  |
        | no     | false |
        |        | unset |

    @case:two-claims-get-two-dedicated-devices
    @KEP-5075/allocation/dedicated-only-once
    Scenario: Two claims get two dedicated devices
      Given the devices
        | device | capacity bandwidth |
        | eth1   | 10                 |
        | eth2   | 10                 |
      And a claim "a" requesting 1 of "bandwidth"
      And a claim "b" requesting 1 of "bandwidth"
      When allocation of the claims "a, b" together is attempted
      Then claim "a" gets 1 device
      And claim "b" gets 1 device

    @case:a-claim-gets-the-whole-of-a-device-with
    @KEP-5075/allocation/unset-equals-false
    Scenario Outline: A claim gets the whole of a device with allowMultipleAllocations <flag>
      Given the devices
        | device | shared   | capacity bandwidth |
        | eth1   | <shared> | 10                 |
      And a claim "c" requesting 4 of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | share |
        | r0      | eth1   | no    |

      Examples:
        | shared | flag  |
        | no     | false |
        |        | unset |

  Rule: Without capacity there is no capacity constraint, but every other one

    Background:
      Given the devices
        | device | shared | attribute dra.example.com/lan |
        | eth1   | yes    | string blue                   |

    @case:three-claims-share-a-device-without-capacity
    @KEP-5075/allocation/infinite-sharing-without-capacity
    Scenario: Three claims share a device without capacity
      Given a claim "a" requesting no capacity
      And a claim "b" requesting no capacity
      And a claim "c" requesting no capacity
      When allocation of the claims "a, b, c" together is attempted
      Then claim "a" has the result
        | device | share |
        | eth1   | yes   |
      And claim "b" has the result
        | device | share |
        | eth1   | yes   |
      And claim "c" has the result
        | device | share |
        | eth1   | yes   |

    @case:a-device-without-capacity-is-refused-where-the
    @KEP-5075/allocation/infinite-sharing-without-capacity
    Scenario: A device without capacity is refused where the selector does not match
      Given a claim "c" with the requests
        | request | selector                                            |
        | r0      | device.attributes["dra.example.com"].lan == "green" |
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

    @case:a-device-without-capacity-is-refused-on-another-node
    @KEP-5075/allocation/infinite-sharing-without-capacity
    Scenario: A device without capacity is refused on another node
      Given a node "node-1"
      And a node "node-2"
      And a claim "c" requesting no capacity
      When allocation of claim "c" on node "node-2" is attempted
      Then nothing fits

  Rule: The search goes on to the next device

    @case:a-device-that-is-used-up-is-passed-over-for-the-next
    @KEP-5075/allocation/next-device-when-exhausted
    Scenario: A device that is used up is passed over for the next one
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 2                  |
        | eth2   | yes    | 2                  |
      And claim "other" already holds
        | device | consumed bandwidth | share |
        | eth1   | 2                  | s1    |
      And a claim "c" requesting 2 of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | r0      | eth2   | 2                  | yes   |

    @case:of-eth1-with-and-eth2-with-a-request-for-3-gets
    @KEP-5075/allocation/next-device-when-exhausted
    Scenario Outline: Of eth1 with <first> and eth2 with <second> a request for 3 gets <device>
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | <first>            |
        | eth2   | yes    | <second>           |
      And a claim "c" requesting 3 of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device   | consumed bandwidth | share |
        | r0      | <device> | 3                  | yes   |

      Examples:
        | first | second | device |
        | 1     | 4      | eth2   |
        | 4     | 1      | eth1   |

    @case:where-a-device-of-net-example-com-pool-1-is-used-up
    @KEP-5075/allocation/next-pool-or-slice
    Scenario Outline: Where a device of net.example.com/pool-1 is used up, another of <driver>/<pool> is taken
      Given the devices
        | device | driver          | pool   | slice   | shared | capacity bandwidth |
        | eth1   | net.example.com | pool-1 | slice-1 | yes    | 2                  |
        | eth2   | <driver>        | <pool> | slice-2 | yes    | 2                  |
      And claim "other" already holds
        | device | driver          | pool   | consumed bandwidth | share |
        | eth1   | net.example.com | pool-1 | 2                  | s1    |
      And a claim "c" requesting 2 of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | driver   | pool   | device | consumed bandwidth | share |
        | r0      | <driver> | <pool> | eth2   | 2                  | yes   |

      Examples: another slice, another pool, another driver
        | driver          | pool   |
        | net.example.com | pool-1 |
        | net.example.com | pool-2 |
        | nic.example.com | pool-1 |

  Rule: A count asks for so many devices, each with the requested capacity

    @case:two-devices-of-one-request-give-the-requested-amount
    @KEP-5075/allocation/count-applies-per-device
    Scenario: Two devices of one request give the requested amount each
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |
        | eth2   | yes    | 10                 |
      And a claim "c" with the requests
        | request | count | capacity bandwidth |
        | r0      | 2     | 6                  |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | r0      | eth1   | 6                  | yes   |
        | r0      | eth2   | 6                  | yes   |

    @case:a-request-for-two-devices-passes-over-one-with-too
    @KEP-5075/allocation/count-applies-per-device
    Scenario: A request for two devices passes over one with too little left
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |
        | eth2   | yes    | 10                 |
        | eth3   | yes    | 10                 |
      And claim "other" already holds
        | device | consumed bandwidth | share |
        | eth2   | 5                  | s1    |
      And a claim "c" with the requests
        | request | count | capacity bandwidth |
        | r0      | 2     | 6                  |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | r0      | eth1   | 6                  | yes   |
        | r0      | eth3   | 6                  | yes   |

    @case:a-request-for-two-devices-is-refused-where-only-one
    @KEP-5075/allocation/count-applies-per-device
    Scenario: A request for two devices is refused where only one has enough left
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |
        | eth2   | yes    | 10                 |
      And claim "other" already holds
        | device | consumed bandwidth | share |
        | eth2   | 5                  | s1    |
      And a claim "c" with the requests
        | request | count | capacity bandwidth |
        | r0      | 2     | 6                  |
      When allocation of claim "c" is attempted
      Then nothing fits

    @case:a-request-for-two-devices-is-refused-on-one-device
    @KEP-5075/allocation/count-needs-different-devices
    Scenario: A request for two devices is refused on one device, although two shares would fit
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |
      And a claim "c" with the requests
        | request | count | capacity bandwidth |
        | r0      | 2     | 4                  |
      When allocation of claim "c" is attempted
      Then nothing fits
      But from Kubernetes 1.34 to 1.35, because these releases look for each device of a request from the first one on, so that a shared one serves twice: claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | r0      | eth1   | 4                  | yes   |
        | r0      | eth1   | 4                  | yes   |
      But from Kubernetes 1.34 to 1.35, because these releases look for each device of a request from the first one on, so that a shared one serves twice: it may also be refused

    @case:two-requests-for-one-device-each-get-two-shares-of
    @KEP-5075/allocation/count-needs-different-devices
    Scenario: Two requests for one device each get two shares of one device
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |
      And a claim "c" with the requests
        | request | count | capacity bandwidth |
        | r0      | 1     | 4                  |
        | r1      | 1     | 4                  |
      When allocation of claim "c" is attempted
      Then claim "c" gets 2 devices

  Rule: A device that became dedicated stays with its shares until they are released

    @case:a-device-that-became-dedicated-is-refused-while
    @KEP-5075/allocation/dedicated-only-once
    Scenario: A device that became dedicated is refused while shares of it are held
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | no     | 10                 |
      And claim "other" already holds
        | device | consumed bandwidth | share |
        | eth1   | 2                  | s1    |
      And a claim "c" requesting 5 of "bandwidth"
      When allocation of claim "c" is attempted
      Then nothing fits
      But since Kubernetes 1.34, because these releases take a device that became dedicated while shares of it remain, if the amounts suffice: claim "c" gets exactly
        | request | device | share |
        | r0      | eth1   | no    |
