Feature: shareID and consumedCapacity in allocation results
  Each result for a multi-allocatable device has a shareID and the consumed capacity. Results for exclusive devices
  have neither.

  Rule: Share IDs of shared allocations

    @case:share-with-capacity
    @KEP-5075/status/share-id-set-for-shared @KEP-5075/status/share-id-is-uid
    @KEP-5075/status/consumed-capacity-recorded @KEP-5075/status/location-of-consumed-capacity
    Scenario: An allocation of a multi-allocatable device records a shareID and consumedCapacity
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |
      And a ResourceClaim "c" requesting 4 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r0      | eth1   | 4                          | yes     |

    @case:exclusive-device
    @KEP-5075/status/share-id-absent-for-dedicated @KEP-5075/status/consumed-capacity-only-for-shared
    Scenario Outline: An allocation of an exclusive device records neither shareID nor consumedCapacity
      Given the devices
        | device | capacity bandwidth |
        | eth1   | 10                 |
      And a ResourceClaim "c" requesting <what>
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | shareID |
        | r0      | eth1   | no      |

      Examples:
        | what             |
        | no capacity      |

    @case:share-and-exclusive-device
    @KEP-5075/status/consumed-capacity-only-for-shared
    Scenario: In one ResourceClaim, only the result of the multi-allocatable device has consumedCapacity
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | capacity memory |
        | eth1   | yes                      | 10                 |                 |
        | gpu    | no                       |                    | 10              |
      And a ResourceClaim "c" with the requests
        | request | capacity bandwidth | capacity memory |
        | nic     | 4                  |                 |
        | gpu     |                    | 4               |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | nic     | eth1   | 4                          | yes     |
        | gpu     | gpu    |                            | no      |

    @case:share-ids-of-three-claims
    @KEP-5075/status/share-id-unique-per-device
    Scenario: Shared allocations of three ResourceClaims on one device have different share IDs
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |
      And ResourceClaim "other" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 1                          | s1      |
      And a ResourceClaim "a" requesting 3 of "bandwidth"
      And a ResourceClaim "b" requesting 3 of "bandwidth"
      And a ResourceClaim "c" requesting 3 of "bandwidth"
      When allocation of the ResourceClaims "a, b, c" together is attempted
      Then ResourceClaim "a" is allocated exactly
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 3                          | yes     |
      And ResourceClaim "b" is allocated exactly
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 3                          | yes     |
      And ResourceClaim "c" is allocated exactly
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 3                          | yes     |

  Rule: Quantities in consumedCapacity

    @case:every-capacity-recorded
    @KEP-5075/status/consumed-capacity-all-entries
    Scenario: consumedCapacity records every capacity of the device, whether requested or not
      Given the devices
        | device | allowMultipleAllocations | capacity memory | capacity cores | requestPolicy cores | capacity slots |
        | gpu    | yes                      | 16              | 8              | default 1, min 1    | 4              |
      And a ResourceClaim "c" requesting 4 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity memory | consumedCapacity cores | consumedCapacity slots | shareID |
        | r0      | gpu    | 4                       | 1                      | 4                      | yes     |

    @case:zero-recorded
    @KEP-5075/status/consumed-capacity-zero-entries
    Scenario: A consumed quantity of zero is recorded in consumedCapacity
      Given the devices
        | device | allowMultipleAllocations | capacity slots | requestPolicy slots |
        | eth1   | yes                      | 1              | default 0, values 0 |
      And a ResourceClaim "c" requesting no capacity
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity slots | shareID |
        | r0      | eth1   | 0                      | yes     |

    @case:zero-recorded-with-other-capacity
    @KEP-5075/status/consumed-capacity-zero-entries
    Scenario: A consumed quantity of zero is recorded together with the quantity of another capacity
      Given the devices
        | device | allowMultipleAllocations | capacity memory | capacity slots | requestPolicy slots |
        | gpu    | yes                      | 16              | 1              | default 0, values 0 |
      And a ResourceClaim "c" requesting 4 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity memory | consumedCapacity slots | shareID |
        | r0      | gpu    | 4                       | 0                      | yes     |

    @case:capacity-name-of-slice
    @KEP-5075/status/consumed-capacity-names-from-device
    Scenario Outline: consumedCapacity records a capacity under its name in the ResourceSlice
      Given the devices
        | device | allowMultipleAllocations | capacity <name> |
        | eth1   | yes                      | 10              |
      And a ResourceClaim "c" requesting no capacity
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity <name> | shareID |
        | r0      | eth1   | 10                      | yes     |

      Examples:
        | name                      |
        | net.example.com/bandwidth |

    @case:kep-example-quantities
    @KEP-5075/status/seed-example-amount
    Scenario Outline: consumedCapacity of the KEP's example device is the requested quantity or the default
      Given the devices
        | device | driver                                 | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth      |
        | eth1   | guaranteed-cni.dra.networking.x-k8s.io | yes                      | 10Gi               | default 1Mi, min 1Mi, step 8 |
      And a ResourceClaim "c" requesting <what>
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r0      | eth1   | <consumed>                 | yes     |

      Examples:
        | what               | consumed |
        | 5Gi of "bandwidth" | 5Gi      |
        | no capacity        | 1Mi      |

  Rule: A shareID in a device status is optional

    @case:status-with-and-without-share-id
    @KEP-5075/status/device-status-key-optional
    Scenario: Device statuses with and without a shareID are stored together
      Given the devices
        | device | allowMultipleAllocations | capacity bw |
        | eth1   | yes                      | 10          |
        | nic0   |                          |             |
      And the object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c, namespace: default}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 2}}]}}
        status:
          allocation:
            devices:
              results:
                - {request: r0, driver: dra.example.com, pool: pool-1, device: nic0}
                - request: r0
                  driver: dra.example.com
                  pool: pool-1
                  device: eth1
                  shareID: 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a01
                  consumedCapacity: {bw: 1}
          devices:
            - {driver: dra.example.com, pool: pool-1, device: nic0, data: {speed: 1}}
        """
      When the status of ResourceClaim "c" is updated with
        | field             | value                                                                                                                              |
        | status.devices[1] | {driver: dra.example.com, pool: pool-1, device: eth1, shareID: 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a01, data: {speed: 2}} |
      Then the object is stored with
        | field          | value                                                                                                                                                                                                                                      |
        | status.devices | [{driver: dra.example.com, pool: pool-1, device: nic0, data: {speed: 1}}, {driver: dra.example.com, pool: pool-1, device: eth1, shareID: 0e7b1e1c-7a52-4c43-8d5e-6d0f8f7f5a01, data: {speed: 2}}] |
