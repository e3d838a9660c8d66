Feature: Allocation of devices with taints
  A device with a NoSchedule or NoExecute taint is not allocated to requests that do not tolerate the taint.

  Rule: Effects of a taint

    @case:noschedule-not-tolerated
    @DRA/taint/noschedule-blocks-allocation
    Scenario Outline: A device with a NoSchedule taint is not allocated to a request without tolerations
      Given the devices
        | device | taints  |
        | d1     | <taint> |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

      Examples:
        | taint                                 |
        | broken=fan:NoSchedule                 |
        | broken:NoSchedule                     |
        | dra.example.com/broken=fan:NoSchedule |

    @case:noexecute-not-tolerated
    @DRA/taint/noexecute-implies-noschedule
    Scenario Outline: A device with a NoExecute taint is not allocated to a request without tolerations
      Given the devices
        | device | taints  |
        | d1     | <taint> |
      And a ResourceClaim "c" with the request
        | request | tolerations |
        | r0      |             |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

      Examples:
        | taint                |
        | broken=fan:NoExecute |
        | broken:NoExecute     |

    @case:noexecute-with-noschedule-toleration
    @DRA/taint/noexecute-implies-noschedule
    Scenario Outline: A toleration with effect NoSchedule does not tolerate a NoExecute taint
      Given the devices
        | device | taints               |
        | d1     | broken=fan:NoExecute |
      And a ResourceClaim "c" with the request
        | request | tolerations  |
        | r0      | <toleration> |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

      Examples:
        | toleration            |
        | broken=fan:NoSchedule |
        | *:NoSchedule          |

    @case:effect-none
    @DRA/taint/other-effects-keep-nobody-away
    Scenario: A taint with effect None does not prevent the allocation of its device
      Given the devices
        | device | taints          |
        | d1     | broken=fan:None |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |
      But until Kubernetes 1.34, because in these releases taints of every effect prevent allocation: no allocation is possible

    @case:tolerated-taint-and-effect-none
    @DRA/taint/every-taint-must-be-tolerated
    Scenario: A device with a tolerated taint and a taint with effect None is allocated
      Given the devices
        | device | taints                              |
        | d1     | broken=fan:None, hot=cpu:NoSchedule |
        | d2     | broken=fan:NoSchedule, hot=cpu:None |
      And a ResourceClaim "c" with the request
        | request | tolerations |
        | r0      | hot         |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |
      But until Kubernetes 1.34, because in these releases taints of every effect prevent allocation: no allocation is possible

  Rule: Devices without taints

    @case:untainted-device-allocated
    @DRA/taint/tainted-devices-are-passed-over
    Scenario Outline: The only device without a taint is allocated
      Given the devices
        | device | taints        |
        | d1     | <first>       |
        | d2     | <second>      |
        | d3     | hot:NoExecute |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device   |
        | r0      | <device> |

      Examples:
        | first             | second            | device |
        | broken:NoSchedule |                   | d2     |
        | broken:NoExecute  |                   | d2     |
        |                   | broken:NoSchedule | d1     |
        |                   | broken:NoExecute  | d1     |

    @case:two-untainted-devices
    @DRA/taint/tainted-devices-are-passed-over
    Scenario: A request for two devices gets the two untainted devices of three
      Given the devices
        | device | taints            |
        | d1     | broken:NoSchedule |
        | d2     |                   |
        | d3     |                   |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |
        | r0      | d3     |

    @case:too-few-untainted-devices
    @DRA/taint/tainted-devices-are-passed-over
    Scenario Outline: A request fails if too few devices are both free and untainted
      Given the devices
        | device | taints            |
        | d1     | broken:NoSchedule |
        | d2     |                   |
        | d3     |                   |
      And ResourceClaim "other" is already allocated
        | device |
        | <held> |
      And a ResourceClaim "c" requesting <count>
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

      Examples:
        | held | count     |
        | d2   | 2 devices |
        | d3   | 2 devices |

    @case:list-with-tainted-first-choice
    @DRA/taint/tainted-devices-are-passed-over
    Scenario: A prioritized list falls back if all devices of the first subrequest are tainted
      Given the devices
        | device | taints            | attribute kind |
        | large  | broken:NoSchedule | string large   |
        | huge   | hot:NoExecute     | string large   |
        | small  |                   | string small   |
      And a ResourceClaim "c" with the requests
        | request | subrequest  | selector                                             |
        | r0      | big         | device.attributes["dra.example.com"].kind == "large" |
        | r0      | little      | device.attributes["dra.example.com"].kind == "small" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request   | device |
        | r0/little | small  |

    @case:untainted-pair-for-constraint
    @DRA/taint/tainted-devices-are-passed-over
    Scenario: matchAttribute selects two untainted devices rather than a pair with a tainted device
      Given the devices
        | device | taints            | attribute dra.example.com/numa |
        | d1     |                   | int 0                          |
        | d2     | broken:NoSchedule | int 0                          |
        | d3     |                   | int 1                          |
        | d4     |                   | int 1                          |
      And a ResourceClaim "c" requesting 2 devices
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d3     |
        | r0      | d4     |

    @case:tolerated-device-of-three
    @DRA/taint/tainted-devices-are-passed-over
    Scenario: The only device whose taint is tolerated is allocated
      Given the devices
        | device | taints                |
        | d1     | broken=fan:NoSchedule |
        | d2     | broken=dsk:NoSchedule |
        | d3     | broken=fan:NoExecute  |
      And a ResourceClaim "c" with the request
        | request | tolerations           |
        | r0      | broken=dsk:NoSchedule |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |

    @case:other-device-of-slice
    @DRA/taint/other-devices-unaffected
    Scenario: A taint does not affect another device of the same ResourceSlice
      Given the devices
        | device | slice | taints           |
        | d1     | s1    | broken:NoExecute |
        | d2     | s1    |                  |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |

    @case:same-name-other-pool-or-driver
    @DRA/taint/other-devices-unaffected
    Scenario Outline: A taint does not affect a device of the same name in another pool or of another driver
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | driver          | pool   | node   | taints           |
        | gpu-0  | dra.example.com | pool-1 | node-1 |                  |
        | gpu-0  | <driver>        | <pool> | <node> | broken:NoExecute |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "node-1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | driver          | pool   | device |
        | r0      | dra.example.com | pool-1 | gpu-0  |

      Examples:
        | driver            | pool   | node   |
        | dra.example.com   | pool-2 | node-1 |
        | dra.example.com   | pool-2 | node-2 |
        | other.example.com | pool-1 | node-1 |
        | other.example.com | pool-1 | node-2 |

    @case:tainted-device-in-use
    @DRA/taint/other-devices-unaffected
    Scenario: A tainted device in use does not affect the allocation of an untainted device
      Given the devices
        | device | taints           |
        | d1     | broken:NoExecute |
        | d2     |                  |
      And ResourceClaim "other" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |

    @case:taint-of-older-generation
    @DRA/taint/other-devices-unaffected
    Scenario: A taint of an older pool generation does not affect the device
      Given the devices
        | device | generation | taints           |
        | d1     | 1          | broken:NoExecute |
        | d1     | 2          |                  |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |

  Rule: Several taints on a device

    @case:one-taint-not-tolerated
    @DRA/taint/every-taint-must-be-tolerated
    Scenario Outline: A device is not allocated if one of its taints is not tolerated
      Given the devices
        | device | taints   |
        | d1     | <taints> |
      And a ResourceClaim "c" with the request
        | request | tolerations   |
        | r0      | <tolerations> |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

      Examples:
        | taints                                        | tolerations               |
        | a=x:NoSchedule, b=y:NoSchedule                | a                         |
        | a=x:NoSchedule, b=y:NoSchedule                | b                         |
        | a=x:NoSchedule, b=y:NoExecute                 | *:NoSchedule              |
        | a=x:NoSchedule, b=y:NoExecute                 | *:NoExecute               |
        | a=x:NoSchedule, a=x:NoExecute                 | a=x:NoSchedule            |
        | a=x:NoSchedule, a=x:NoExecute                 | a:NoExecute               |
        | a=x:NoSchedule, a=y:NoSchedule                | a=y                       |
        | a=x:NoSchedule, b=y:NoSchedule, c=z:NoExecute | a, b                      |
        | a=x:NoSchedule, b=y:NoSchedule, c=z:NoExecute | a, c                      |
        | a=x:NoSchedule, b=y:NoSchedule, c=z:NoExecute | b, c                      |
        | a=x:NoSchedule, b=y:NoSchedule, c=z:NoExecute | a, b=y, c:NoSchedule, c=y |

    @case:every-taint-tolerated
    @DRA/taint/every-taint-must-be-tolerated
    Scenario Outline: A device is allocated if all of its taints are tolerated
      Given the devices
        | device | taints   |
        | d1     | <taints> |
      And a ResourceClaim "c" with the request
        | request | tolerations   |
        | r0      | <tolerations> |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |

      Examples:
        | taints                                        | tolerations               |
        | a=x:NoSchedule, b=y:NoSchedule                | a, b                      |
        | a=x:NoSchedule, b=y:NoExecute                 | *:NoSchedule, b           |
        | a=x:NoSchedule, a=x:NoExecute                 | a                         |
        | a=x:NoSchedule, a=x:NoExecute                 | a:NoSchedule, a:NoExecute |
        | a=x:NoSchedule, b=y:NoSchedule, c=z:NoExecute | *                         |

  Rule: Requests with allocationMode: All

    @case:all-mode-one-tainted
    @DRA/taint/all-mode
    Scenario Outline: A request with allocationMode: All is not allocated if one of the devices is tainted
      Given the devices
        | device | taints   |
        | d1     | <first>  |
        | d2     | <second> |
        | d3     |          |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

      Examples:
        | what                                 | first             | second            |
        | the first has a NoSchedule taint     | broken:NoSchedule |                   |
        | the second has a NoSchedule taint    |                   | broken:NoSchedule |
        | the second has a NoExecute taint     |                   | broken:NoExecute  |
        | the first and the second have taints | broken:NoExecute  | broken:NoSchedule |

    @case:all-mode-tolerates-all
    @DRA/taint/all-mode
    Scenario Outline: A request with allocationMode: All is allocated if it tolerates every taint of the devices
      Given the devices
        | device | taints                |
        | d1     |                       |
        | d2     | broken=fan:NoSchedule |
        | d3     | broken=dsk:NoExecute  |
      And a ResourceClaim "c" with the request
        | request | allocationMode | tolerations   |
        | r0      | All            | <tolerations> |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |
        | r0      | d2     |
        | r0      | d3     |

      Examples:
        | tolerations                               |
        | broken                                    |
        | *                                         |
        | broken=dsk:NoExecute, broken=fan          |
        | *:NoExecute, broken=fan:NoSchedule, other |

    @case:all-mode-tolerates-some
    @DRA/taint/all-mode
    Scenario Outline: A request with allocationMode: All fails if the taint of one device is not tolerated
      Given the devices
        | device | taints                |
        | d1     |                       |
        | d2     | broken=fan:NoSchedule |
        | d3     | broken=dsk:NoExecute  |
      And a ResourceClaim "c" with the request
        | request | allocationMode | tolerations   |
        | r0      | All            | <tolerations> |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

      Examples:
        | tolerations                       |
        | broken=fan                        |
        | *:NoExecute                       |
        | broken:NoSchedule, hot, other=dsk |

    @case:all-mode-tainted-not-selected
    @DRA/taint/all-mode
    Scenario: A request with allocationMode: All is allocated if no tainted device matches its selector
      Given the devices
        | device | taints            | attribute kind |
        | d1     |                   | string small   |
        | d2     | broken:NoSchedule | string large   |
        | d3     |                   | string small   |
      And a ResourceClaim "c" with the request
        | request | allocationMode | selector                                             |
        | r0      | All            | device.attributes["dra.example.com"].kind == "small" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |
        | r0      | d3     |

    @case:all-mode-tainted-on-other-node
    @DRA/taint/all-mode
    Scenario: A request with allocationMode: All is allocated on a node without tainted devices
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | pool   | node   | taints            |
        | d1     | pool-1 | node-1 |                   |
        | d2     | pool-2 | node-2 | broken:NoSchedule |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" on node "node-1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |

    @case:all-mode-tainted-on-node
    @DRA/taint/all-mode
    Scenario: A request with allocationMode: All is not allocated on the node with the tainted device
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | pool   | node   | taints            |
        | d1     | pool-1 | node-1 |                   |
        | d2     | pool-2 | node-2 | broken:NoSchedule |
        | d3     | pool-2 | node-2 |                   |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" on node "node-2" is attempted
      Then no allocation is possible because of TaintNotTolerated

    @case:all-mode-with-tolerating-request
    @DRA/taint/all-mode
    Scenario: A tainted device does not block allocationMode: All if only another request selects it
      Given the devices
        | device | taints            | attribute kind |
        | d1     |                   | string small   |
        | d2     | broken:NoSchedule | string large   |
        | d3     |                   | string small   |
      And a ResourceClaim "c" with the requests
        | request | allocationMode | tolerations | selector                                             |
        | r0      |                | broken      | device.attributes["dra.example.com"].kind == "large" |
        | r1      | All            |             | device.attributes["dra.example.com"].kind == "small" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |
        | r1      | d1     |
        | r1      | d3     |

    @case:all-mode-list-falls-back
    @DRA/taint/all-mode
    Scenario: A prioritized list falls back from allocationMode: All if one of its devices is tainted
      Given the devices
        | device | taints            |
        | d1     |                   |
        | d2     | broken:NoSchedule |
        | d3     |                   |
      And a ResourceClaim "c" with the requests
        | request | subrequest | allocationMode | count |
        | r0      | everything | All            |       |
        | r0      | two        |                | 2     |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0/two  | d1     |
        | r0/two  | d3     |

  Rule: Tainted devices and adminAccess

    @case:admin-access-not-tolerated
    @DRA/taint/admin-access-not-exempt
    Scenario Outline: A request with adminAccess and no toleration is not allocated a tainted device
      Given the devices
        | device | taints  |
        | d1     | <taint> |
      And a ResourceClaim "c" with the request
        | request | adminAccess | tolerations |
        | r0      | yes         |             |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

      Examples:
        | taint             |
        | broken:NoSchedule |
        | broken:NoExecute  |

    @case:admin-access-noschedule-toleration
    @DRA/taint/admin-access-not-exempt
    Scenario: A request with adminAccess needs a toleration of NoExecute for a NoExecute taint
      Given the devices
        | device | taints           |
        | d1     | broken:NoExecute |
      And a ResourceClaim "c" with the request
        | request | adminAccess | tolerations       |
        | r0      | yes         | broken:NoSchedule |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

    @case:admin-access-tolerated
    @DRA/taint/admin-access-not-exempt
    Scenario Outline: A request with adminAccess is allocated a tainted device in use if it tolerates the taint
      Given the devices
        | device | taints  |
        | d1     | <taint> |
      And ResourceClaim "other" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "c" with the request
        | request | adminAccess | tolerations   |
        | r0      | yes         | <tolerations> |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | adminAccess |
        | r0      | d1     | yes         |

      Examples:
        | taint             | tolerations      |
        | broken:NoSchedule | *                |
        | broken:NoExecute  | *                |
        | broken:NoExecute  | broken:NoExecute |

    @case:admin-access-all-mode-tainted
    @DRA/taint/admin-access-not-exempt
    Scenario: A request with adminAccess and allocationMode: All fails if one device is tainted
      Given the devices
        | device | taints           |
        | d1     |                  |
        | d2     | broken:NoExecute |
      And a ResourceClaim "c" with the request
        | request | allocationMode | adminAccess |
        | r0      | All            | yes         |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

    @case:admin-access-all-mode-tolerated
    @DRA/taint/admin-access-not-exempt
    Scenario: A request with adminAccess and allocationMode: All succeeds if it tolerates every taint
      Given the devices
        | device | taints           |
        | d1     |                  |
        | d2     | broken:NoExecute |
      And ResourceClaim "other" is already allocated
        | device |
        | d2     |
      And a ResourceClaim "c" with the request
        | request | allocationMode | adminAccess | tolerations |
        | r0      | All            | yes         | *           |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | adminAccess |
        | r0      | d1     | yes         |
        | r0      | d2     | yes         |

    @case:admin-access-untainted-in-use
    @DRA/taint/admin-access-not-exempt
    Scenario: A request with adminAccess is allocated the device in use that has no taint
      Given the devices
        | device | taints           |
        | d1     | broken:NoExecute |
        | d2     |                  |
      And ResourceClaim "other" is already allocated
        | device |
        | d2     |
      And a ResourceClaim "c" with the request
        | request | adminAccess |
        | r0      | yes         |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | adminAccess |
        | r0      | d2     | yes         |

  Rule: Taints in ResourceSlices

    @case:slice-taint-not-tolerated
    @DRA/taint/set-by-driver
    Scenario Outline: A device is not allocated if the taint in its ResourceSlice is not tolerated
      Given the objects
        """
        apiVersion: resource.k8s.io/<version>
        kind: ResourceSlice
        metadata: {name: overheated}
        spec:
          driver: dra.example.com
          nodeName: node-1
          pool: {name: node-1, generation: 1, resourceSliceCount: 1}
          devices:
            - name: d1
              taints: [{key: dra.example.com/overheat, value: "1", effect: NoSchedule}]
        """
      And a ResourceClaim "c" with the request
        | request | tolerations  |
        | r0      | <toleration> |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

      Examples:
        | what           | version | toleration                         |
        | nothing        | v1      |                                    |
        | another value  | v1      | dra.example.com/overheat=2         |
        | another effect | v1beta2 | dra.example.com/overheat:NoExecute |

    @case:slice-taint-tolerated
    @DRA/taint/set-by-driver
    Scenario Outline: A device with a taint in its ResourceSlice is allocated if the taint is tolerated
      Given the objects
        """
        apiVersion: resource.k8s.io/<version>
        kind: ResourceSlice
        metadata: {name: overheated}
        spec:
          driver: dra.example.com
          nodeName: node-1
          pool: {name: node-1, generation: 1, resourceSliceCount: 1}
          devices:
            - name: d1
              taints: [{key: dra.example.com/overheat, value: "1", effect: NoSchedule}]
        """
      And a ResourceClaim "c" with the request
        | request | tolerations  |
        | r0      | <toleration> |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |

      Examples:
        | version | toleration                          |
        | v1      | dra.example.com/overheat=1          |
        | v1beta2 | dra.example.com/overheat:NoSchedule |

    @case:v1beta1-slice-taint
    @DRA/taint/set-by-driver
    Scenario: A device with a taint in a v1beta1 ResourceSlice is not allocated
      Given the objects
        """
        apiVersion: resource.k8s.io/v1beta1
        kind: ResourceSlice
        metadata: {name: overheated}
        spec:
          driver: dra.example.com
          nodeName: node-1
          pool: {name: node-1, generation: 1, resourceSliceCount: 1}
          devices:
            - name: d1
              basic:
                taints: [{key: dra.example.com/overheat, value: "1", effect: NoSchedule}]
            - name: d2
              basic: {}
        """
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |

  Rule: Tainted devices while DRADeviceTaints is off

    @case:gate-off
    @DRA/feature-gate/alpha-features-off-by-default
    Scenario Outline: With DRADeviceTaints off, a tainted device is allocated without a toleration
      Given the feature gate "DRADeviceTaints" is off
      And the devices
        | device | taints  |
        | d1     | <taint> |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |

      Examples:
        | taint             |
        | broken:NoSchedule |
        | broken:NoExecute  |
