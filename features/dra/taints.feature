Feature: Device taints
  A device with a taint of effect NoSchedule or NoExecute is left alone by requests that do not tolerate it.

  Rule: An untolerated taint keeps the device from being allocated

    @DRA/taint/noschedule-blocks-allocation
    Scenario Outline: A device with the taint <taint> is not allocated without a toleration
      Given the devices
        | device | taints  |
        | d1     | <taint> |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of TaintNotTolerated

      Examples:
        | taint                                 |
        | broken=fan:NoSchedule                 |
        | broken:NoSchedule                     |
        | dra.example.com/broken=fan:NoSchedule |

    @DRA/taint/noschedule-blocks-allocation
    Scenario: A device without taints is allocated to a request without tolerations
      Given the devices
        | device |
        | d1     |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d1     |

    @DRA/taint/noexecute-implies-noschedule
    Scenario Outline: A request that tolerates nothing does not get a device with the taint <taint>
      Given the devices
        | device | taints  |
        | d1     | <taint> |
      And a claim "c" with the request
        | request | tolerations |
        | r0      |             |
      When allocation of claim "c" is attempted
      Then nothing fits because of TaintNotTolerated

      Examples:
        | taint                |
        | broken=fan:NoExecute |
        | broken:NoExecute     |

    @DRA/taint/noexecute-implies-noschedule
    Scenario Outline: A device with the taint broken=fan:NoExecute is not allocated when <toleration> is tolerated
      Given the devices
        | device | taints               |
        | d1     | broken=fan:NoExecute |
      And a claim "c" with the request
        | request | tolerations  |
        | r0      | <toleration> |
      When allocation of claim "c" is attempted
      Then nothing fits because of TaintNotTolerated

      Examples:
        | toleration            |
        | broken=fan:NoSchedule |
        | *:NoSchedule          |

    @DRA/taint/noschedule-blocks-allocation
    Scenario: A taint of effect None does not keep its device from being allocated
      Given the devices
        | device | taints          |
        | d1     | broken=fan:None |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d1     |
      But until Kubernetes 1.34, because in these releases taints of every effect keep devices away: nothing fits

    @DRA/taint/every-taint-must-be-tolerated
    Scenario: A device with a tolerated taint is allocated although it has another of effect None
      Given the devices
        | device | taints                              |
        | d1     | broken=fan:None, hot=cpu:NoSchedule |
        | d2     | broken=fan:NoSchedule, hot=cpu:None |
      And a claim "c" with the request
        | request | tolerations |
        | r0      | hot         |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d1     |
      But until Kubernetes 1.34, because in these releases taints of every effect keep devices away: nothing fits

  Rule: Other devices are used instead

    @DRA/taint/tainted-devices-are-passed-over
    Scenario Outline: Device <device> is allocated while others have the taints <first><second> and hot:NoExecute
      Given the devices
        | device | taints        |
        | d1     | <first>       |
        | d2     | <second>      |
        | d3     | hot:NoExecute |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device   |
        | r0      | <device> |

      Examples:
        | first             | second            | device |
        | broken:NoSchedule |                   | d2     |
        | broken:NoExecute  |                   | d2     |
        |                   | broken:NoSchedule | d1     |
        |                   | broken:NoExecute  | d1     |

    @DRA/taint/tainted-devices-are-passed-over
    Scenario: A request for two devices gets the two of three that are not tainted
      Given the devices
        | device | taints            |
        | d1     | broken:NoSchedule |
        | d2     |                   |
        | d3     |                   |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |
        | r0      | d3     |

    @DRA/taint/tainted-devices-are-passed-over
    Scenario Outline: A claim for <count> gets nothing when one of three is tainted and <held> is in use
      Given the devices
        | device | taints            |
        | d1     | broken:NoSchedule |
        | d2     |                   |
        | d3     |                   |
      And claim "other" already holds
        | device |
        | <held> |
      And a claim "c" requesting <count>
      When allocation of claim "c" is attempted
      Then nothing fits

      Examples:
        | held | count     |
        | d2   | 2 devices |
        | d3   | 2 devices |

    @DRA/taint/tainted-devices-are-passed-over
    Scenario: A prioritized list takes its second subrequest when all devices for the first are tainted
      Given the devices
        | device | taints            | attribute kind |
        | large  | broken:NoSchedule | string large   |
        | huge   | hot:NoExecute     | string large   |
        | small  |                   | string small   |
      And a claim "c" with the requests
        | request | subrequest  | selector                                             |
        | r0      | big         | device.attributes["dra.example.com"].kind == "large" |
        | r0      | little      | device.attributes["dra.example.com"].kind == "small" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request   | device |
        | r0/little | small  |

    @DRA/taint/tainted-devices-are-passed-over
    Scenario: A claim gets two untainted devices that meet its constraint, not a pair with a tainted one
      Given the devices
        | device | taints            | attribute dra.example.com/numa |
        | d1     |                   | int 0                          |
        | d2     | broken:NoSchedule | int 0                          |
        | d3     |                   | int 1                          |
        | d4     |                   | int 1                          |
      And a claim "c" requesting 2 devices
      And claim "c" needs matching "dra.example.com/numa"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d3     |
        | r0      | d4     |

    @DRA/taint/tainted-devices-are-passed-over
    Scenario: Of three tainted devices the one whose taint is tolerated is allocated
      Given the devices
        | device | taints                |
        | d1     | broken=fan:NoSchedule |
        | d2     | broken=dsk:NoSchedule |
        | d3     | broken=fan:NoExecute  |
      And a claim "c" with the request
        | request | tolerations           |
        | r0      | broken=dsk:NoSchedule |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |

    @DRA/taint/other-devices-unaffected
    Scenario: A claim gets the one of two devices of a slice that is not tainted
      Given the devices
        | device | slice | taints           |
        | d1     | s1    | broken:NoExecute |
        | d2     | s1    |                  |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |

    @DRA/taint/other-devices-unaffected
    Scenario Outline: Device gpu-0 is allocated while another gpu-0 of <driver> in <pool> on <node> is tainted
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | driver          | pool   | node   | taints           |
        | gpu-0  | dra.example.com | pool-1 | node-1 |                  |
        | gpu-0  | <driver>        | <pool> | <node> | broken:NoExecute |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "node-1" is attempted
      Then claim "c" gets exactly
        | request | driver          | pool   | device |
        | r0      | dra.example.com | pool-1 | gpu-0  |

      Examples:
        | driver            | pool   | node   |
        | dra.example.com   | pool-2 | node-1 |
        | dra.example.com   | pool-2 | node-2 |
        | other.example.com | pool-1 | node-1 |
        | other.example.com | pool-1 | node-2 |

    @DRA/taint/other-devices-unaffected
    Scenario: A claim gets an untainted device while another claim holds a tainted one
      Given the devices
        | device | taints           |
        | d1     | broken:NoExecute |
        | d2     |                  |
      And claim "other" already holds
        | device |
        | d1     |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |

    @DRA/taint/other-devices-unaffected
    Scenario: A taint that only an older generation of the pool has does not keep a device away
      Given the devices
        | device | generation | taints           |
        | d1     | 1          | broken:NoExecute |
        | d1     | 2          |                  |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d1     |

  Rule: Every taint of a device has its effect

    @DRA/taint/every-taint-must-be-tolerated
    Scenario Outline: Tolerating <tolerations> does not cover <taints>
      Given the devices
        | device | taints   |
        | d1     | <taints> |
      And a claim "c" with the request
        | request | tolerations   |
        | r0      | <tolerations> |
      When allocation of claim "c" is attempted
      Then nothing fits because of TaintNotTolerated

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

    @DRA/taint/every-taint-must-be-tolerated
    Scenario Outline: Tolerating <tolerations> covers <taints>
      Given the devices
        | device | taints   |
        | d1     | <taints> |
      And a claim "c" with the request
        | request | tolerations   |
        | r0      | <tolerations> |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d1     |

      Examples:
        | taints                                        | tolerations               |
        | a=x:NoSchedule, b=y:NoSchedule                | a, b                      |
        | a=x:NoSchedule, b=y:NoExecute                 | *:NoSchedule, b           |
        | a=x:NoSchedule, a=x:NoExecute                 | a                         |
        | a=x:NoSchedule, a=x:NoExecute                 | a:NoSchedule, a:NoExecute |
        | a=x:NoSchedule, b=y:NoSchedule, c=z:NoExecute | *                         |

  Rule: A request for all devices needs each of them

    @DRA/taint/all-mode
    Scenario Outline: A request for all devices gets nothing when <what>
      Given the devices
        | device | taints   |
        | d1     | <first>  |
        | d2     | <second> |
        | d3     |          |
      And a claim "c" requesting all devices
      When allocation of claim "c" is attempted
      Then nothing fits because of TaintNotTolerated

      Examples:
        | what                                 | first             | second            |
        | the first has a NoSchedule taint     | broken:NoSchedule |                   |
        | the second has a NoSchedule taint    |                   | broken:NoSchedule |
        | the second has a NoExecute taint     |                   | broken:NoExecute  |
        | the first and the second have taints | broken:NoExecute  | broken:NoSchedule |

    @DRA/taint/all-mode
    Scenario Outline: All devices are allocated, tainted or not, when <tolerations> is tolerated
      Given the devices
        | device | taints                |
        | d1     |                       |
        | d2     | broken=fan:NoSchedule |
        | d3     | broken=dsk:NoExecute  |
      And a claim "c" with the request
        | request | mode | tolerations   |
        | r0      | All  | <tolerations> |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
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

    @DRA/taint/all-mode
    Scenario Outline: A request for all devices gets nothing when only <tolerations> is tolerated
      Given the devices
        | device | taints                |
        | d1     |                       |
        | d2     | broken=fan:NoSchedule |
        | d3     | broken=dsk:NoExecute  |
      And a claim "c" with the request
        | request | mode | tolerations   |
        | r0      | All  | <tolerations> |
      When allocation of claim "c" is attempted
      Then nothing fits because of TaintNotTolerated

      Examples:
        | tolerations                       |
        | broken=fan                        |
        | *:NoExecute                       |
        | broken:NoSchedule, hot, other=dsk |

    @DRA/taint/all-mode
    Scenario: A request for all devices is met when its selector does not match the tainted one
      Given the devices
        | device | taints            | attribute kind |
        | d1     |                   | string small   |
        | d2     | broken:NoSchedule | string large   |
        | d3     |                   | string small   |
      And a claim "c" with the request
        | request | mode | selector                                             |
        | r0      | All  | device.attributes["dra.example.com"].kind == "small" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d1     |
        | r0      | d3     |

    @DRA/taint/all-mode
    Scenario: A request for all devices is met when the tainted one is on another node
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | pool   | node   | taints            |
        | d1     | pool-1 | node-1 |                   |
        | d2     | pool-2 | node-2 | broken:NoSchedule |
      And a claim "c" requesting all devices
      When allocation of claim "c" on node "node-1" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d1     |

    @DRA/taint/all-mode
    Scenario: A request for all devices gets nothing on the node of a tainted one
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | pool   | node   | taints            |
        | d1     | pool-1 | node-1 |                   |
        | d2     | pool-2 | node-2 | broken:NoSchedule |
        | d3     | pool-2 | node-2 |                   |
      And a claim "c" requesting all devices
      When allocation of claim "c" on node "node-2" is attempted
      Then nothing fits because of TaintNotTolerated

    @DRA/taint/all-mode
    Scenario: A tainted device goes to the request that tolerates it beside a request for all small devices
      Given the devices
        | device | taints            | attribute kind |
        | d1     |                   | string small   |
        | d2     | broken:NoSchedule | string large   |
        | d3     |                   | string small   |
      And a claim "c" with the requests
        | request | mode | tolerations | selector                                             |
        | r0      |      | broken      | device.attributes["dra.example.com"].kind == "large" |
        | r1      | All  |             | device.attributes["dra.example.com"].kind == "small" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |
        | r1      | d1     |
        | r1      | d3     |

    @DRA/taint/all-mode
    Scenario: A prioritized list takes its second subrequest when one of all devices for the first is tainted
      Given the devices
        | device | taints            |
        | d1     |                   |
        | d2     | broken:NoSchedule |
        | d3     |                   |
      And a claim "c" with the requests
        | request | subrequest  | mode | count |
        | r0      | everything  | All  |       |
        | r0      | two         |      | 2     |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0/two  | d1     |
        | r0/two  | d3     |

  Rule: Admin access is not exempt

    @DRA/taint/admin-access-not-exempt
    Scenario Outline: A request with admin access does not get a device with the taint <taint>
      Given the devices
        | device | taints  |
        | d1     | <taint> |
      And a claim "c" with the request
        | request | admin | tolerations |
        | r0      | yes   |             |
      When allocation of claim "c" is attempted
      Then nothing fits because of TaintNotTolerated

      Examples:
        | taint             |
        | broken:NoSchedule |
        | broken:NoExecute  |

    @DRA/taint/admin-access-not-exempt
    Scenario: A request with admin access that tolerates NoSchedule does not get a device with a NoExecute taint
      Given the devices
        | device | taints           |
        | d1     | broken:NoExecute |
      And a claim "c" with the request
        | request | admin | tolerations       |
        | r0      | yes   | broken:NoSchedule |
      When allocation of claim "c" is attempted
      Then nothing fits because of TaintNotTolerated

    @DRA/taint/admin-access-not-exempt
    Scenario Outline: A device with the taint <taint> is allocated with admin access when <tolerations> is tolerated
      Given the devices
        | device | taints  |
        | d1     | <taint> |
      And claim "other" already holds
        | device |
        | d1     |
      And a claim "c" with the request
        | request | admin | tolerations   |
        | r0      | yes   | <tolerations> |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | admin |
        | r0      | d1     | yes   |

      Examples:
        | taint             | tolerations      |
        | broken:NoSchedule | *                |
        | broken:NoExecute  | *                |
        | broken:NoExecute  | broken:NoExecute |

    @DRA/taint/admin-access-not-exempt
    Scenario: A request with admin access for all devices gets nothing when one of them is tainted
      Given the devices
        | device | taints           |
        | d1     |                  |
        | d2     | broken:NoExecute |
      And a claim "c" with the request
        | request | mode | admin |
        | r0      | All  | yes   |
      When allocation of claim "c" is attempted
      Then nothing fits because of TaintNotTolerated

    @DRA/taint/admin-access-not-exempt
    Scenario: A request with admin access for all devices gets them when it tolerates every taint
      Given the devices
        | device | taints           |
        | d1     |                  |
        | d2     | broken:NoExecute |
      And claim "other" already holds
        | device |
        | d2     |
      And a claim "c" with the request
        | request | mode | admin | tolerations |
        | r0      | All  | yes   | *           |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | admin |
        | r0      | d1     | yes   |
        | r0      | d2     | yes   |

    @DRA/taint/admin-access-not-exempt
    Scenario: A request with admin access gets a device in use that is not tainted
      Given the devices
        | device | taints           |
        | d1     | broken:NoExecute |
        | d2     |                  |
      And claim "other" already holds
        | device |
        | d2     |
      And a claim "c" with the request
        | request | admin |
        | r0      | yes   |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | admin |
        | r0      | d2     | yes   |

  Rule: A driver publishes taints with its devices

    @DRA/taint/set-by-driver
    Scenario Outline: A taint in a <version> ResourceSlice keeps its device from a request that tolerates <what>
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
      And a claim "c" with the request
        | request | tolerations  |
        | r0      | <toleration> |
      When allocation of claim "c" is attempted
      Then nothing fits because of TaintNotTolerated

      Examples:
        | what           | version | toleration                         |
        | nothing        | v1      |                                    |
        | another value  | v1      | dra.example.com/overheat=2         |
        | nothing        | v1beta2 |                                    |
        | another effect | v1beta2 | dra.example.com/overheat:NoExecute |

    @DRA/taint/set-by-driver
    Scenario Outline: A taint in a <version> ResourceSlice is tolerated by <toleration>
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
      And a claim "c" with the request
        | request | tolerations  |
        | r0      | <toleration> |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d1     |

      Examples:
        | version | toleration                          |
        | v1      | dra.example.com/overheat=1          |
        | v1beta2 | dra.example.com/overheat:NoSchedule |

    @DRA/taint/set-by-driver
    Scenario: A taint in a v1beta1 ResourceSlice keeps its device from being allocated
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
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |

  Rule: Without the feature taints have no effect

    @DRA/feature-gate/alpha-features-off-by-default
    Scenario Outline: A device with the taint <taint> is allocated while DRADeviceTaints is off
      Given the feature gate "DRADeviceTaints" is off
      And the devices
        | device | taints  |
        | d1     | <taint> |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d1     |

      Examples:
        | taint             |
        | broken:NoSchedule |
        | broken:NoExecute  |
