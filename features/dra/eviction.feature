Feature: Eviction of pods from tainted devices
  A NoExecute taint evicts the pods that already run with a device: the device taint eviction controller deletes them.
  A toleration in the claim keeps them, for good or for some seconds after the taint was added.

  Background:
    Given the devices
      | device |
      | gpu-0  |
      | gpu-1  |

  @profile:kep @profile:since-1.34
  Rule: A NoExecute taint deletes the pods that use the device, and no others

    @DRA/eviction/noexecute-deletes-running-pods @DRA/eviction/by-device-taint-controller
    Scenario: Both pods that share the claim of a device are deleted when it is tainted
      Given a claim "c" requesting 2 devices
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      And pod "q" runs
      When the driver changes the device "gpu-1"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist
      And the Pod "q" does not exist
      And claim "c" is not allocated

    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A pod is deleted when the device of one of its two claims is tainted
      Given a claim "c" requesting 1 device
      And a claim "d" requesting 1 device
      And a pod "p" that uses claims "c, d"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-1"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist
      And claim "c" is not allocated
      And claim "d" is not allocated

    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A pod is deleted when the device of the claim that was made for it is tainted, and the claim goes with it
      Given a template "t" requesting 2 devices
      And a pod "p" that uses the template "t" as "gpu"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-1"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist
      And the ResourceClaim "gpu of pod p" does not exist

    @DRA/eviction/noexecute-deletes-running-pods @DRA/taint/applies-to-all-pods-of-the-claim
    Scenario: A pod that has its device as an extended resource is deleted as one that names a claim is
      Given a device class "gpu" for "example.com/gpu"
      And a pod "p" that requests 1 of "example.com/gpu"
      When the cluster settles
      Then pod "p" runs
      And claim "extended resources of pod p" gets 1 device
      When a pod "q" that requests 1 of "example.com/gpu" is created
      And the cluster settles
      Then claim "extended resources of pod q" gets exactly
        | device |
        | gpu-1  |
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist
      And pod "q" runs
      But since Kubernetes 1.34, because the eviction controller knows only the claims that a pod names: pod "p" runs
      But since Kubernetes 1.34, because the eviction controller knows only the claims that a pod names: pod "q" runs

    @DRA/eviction/by-device-taint-controller
    Scenario: A taint from before the controller was enabled evicts once it is enabled
      Given the feature gate "DRADeviceTaints" is off in the controller manager
      And a claim "c" requesting 2 devices
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then pod "p" runs
      When the feature gate "DRADeviceTaints" is turned on in the controller manager
      And the cluster settles
      Then the Pod "p" does not exist

    @DRA/feature-gate/alpha-features-off-by-default @profile:since-1.35
    Scenario: A rule evicts nobody while DRADeviceTaintRules is off in the controller manager
      Given the feature gate "DRADeviceTaintRules" is off in the controller manager
      And a claim "c" requesting 2 devices
      And a pod "p" that uses claim "c"
      And the device taint rule "r"
        | driver             | taint            |
        | nobody.example.com | broken:NoExecute |
      When the cluster settles
      Then pod "p" runs
      When the DeviceTaintRule "r" is updated with
        | field                      | value           |
        | spec.deviceSelector.driver | dra.example.com |
      And the cluster settles
      Then pod "p" runs
      When the feature gate "DRADeviceTaintRules" is turned on in the controller manager
      And the cluster settles
      Then the Pod "p" does not exist

    @DRA/feature-gate/taints-components
    Scenario: The driver's own taint evicts while DRADeviceTaintRules is off everywhere
      Given the feature gate "DRADeviceTaintRules" is off
      And a claim "c" requesting 2 devices
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-1"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist

    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A pod that is on a node and does not run yet is deleted as well
      Given claim "c" already holds
        | device |
        | gpu-0  |
      And a pod "p" on node "node-1" that uses claims "c, missing"
      When the cluster settles
      Then pod "p" is pending
      And claim "c" is reserved for pod "p"
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist

    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A pod is deleted whose claim is held only by its finalizer
      Given a claim "c" requesting 2 devices
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the ResourceClaim "c" is deleted
      And the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist
      And the ResourceClaim "c" does not exist

    @DRA/eviction/only-affected-pods
    Scenario: A pod with another device of the pool and a pod without claims stay
      Given a claim "c" requesting 1 device
      And a claim "d" requesting 1 device
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "d"
      And a pod "r" without claims
      When the Pod "p" is created
      And the cluster settles
      Then claim "c" gets exactly
        | device |
        | gpu-0  |
      When the Pod "q" is created
      And the Pod "r" is created
      And the cluster settles
      Then pod "q" runs
      And pod "r" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist
      And pod "q" runs
      And claim "d" keeps its allocation
      And pod "r" runs

    @DRA/eviction/only-affected-pods
    Scenario: A pod that waits for a tainted device is not deleted, only not scheduled
      Given a claim "c" requesting 2 devices
      And a claim "d" requesting 1 device
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "d"
      When the Pod "p" is created
      And the cluster settles
      Then pod "p" runs
      When the Pod "q" is created
      And the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist
      And pod "q" runs
      And claim "d" gets exactly
        | device |
        | gpu-1  |

    @DRA/eviction/only-affected-pods
    Scenario: A tainted device of the same name in another pool of the driver evicts nobody
      Given the device
        | device | pool   | attribute spare |
        | gpu-0  | pool-2 | bool true       |
      And a device class "in-use" that selects
        """
        !device.attributes["dra.example.com"].?spare.orValue(false)
        """
      And a claim "c" requesting 2 devices of class "in-use"
      And the device taint rule "r"
        | driver          | pool | device | taint            |
        | dra.example.com | none | gpu-0  | broken:NoExecute |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the DeviceTaintRule "r" is updated with
        | field                    | value  |
        | spec.deviceSelector.pool | pool-2 |
      And the cluster settles
      Then pod "p" runs

    @DRA/eviction/only-affected-pods
    Scenario: A pod that waits for its device to be made ready is not deleted, for it has no node yet
      Given the devices
        | device | pool   | binding  | failure |
        | nic-0  | pool-2 | attached | broken  |
      And a claim "c" requesting 3 devices
      And the device taint rule "r"
        | driver             | device | taint            |
        | nobody.example.com | nic-0  | broken:NoExecute |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      And claim "c" is reserved for pod "p"
      When the DeviceTaintRule "r" is updated with
        | field                      | value           |
        | spec.deviceSelector.driver | dra.example.com |
      And the cluster settles
      Then pod "p" is pending

    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A pod on the node that names a claim on its way out, and does not have it, is not deleted with its users
      Given a claim "c" requesting 2 devices
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When claim "c" is deleted
      And a pod "q" on node "node-1" that uses claim "c" is created
      And the cluster settles
      Then claim "c" is reserved for pod "p"
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist
      And pod "q" is pending

    @DRA/eviction/noexecute-deletes-running-pods @DRA/taint/admin-access-not-exempt
    Scenario: A pod that has a device with admin access is deleted as any other
      Given the object
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: default, labels: {resource.k8s.io/admin-access: "true", resource.kubernetes.io/admin-access: "true"}}
        """
      And a claim "c" with the request
        | request | count | admin |
        | r0      | 2     | yes   |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist

    @DRA/eviction/only-affected-pods
    Scenario: A tainted device of the same name in the pool of another driver evicts nobody
      Given the devices
        | device | driver            | pool   |
        | gpu-0  | other.example.com | pool-1 |
      And a device class "mine" that selects
        """
        device.driver == "dra.example.com"
        """
      And a claim "c" requesting 2 devices of class "mine"
      And the device taint rule "r"
        | driver             | taint            |
        | nobody.example.com | broken:NoExecute |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the DeviceTaintRule "r" is updated with
        | field                      | value             |
        | spec.deviceSelector.driver | other.example.com |
      And the cluster settles
      Then pod "p" runs

    @DRA/eviction/only-affected-pods
    Scenario: A taint in a slice of an older generation of the pool evicts nobody
      Given the feature gate "DRADeviceTaints" is on
      And a claim "c" requesting 2 devices
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When this object is created
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: newer}
        spec:
          driver: dra.example.com
          nodeName: node-1
          pool: {name: pool-1, generation: 2, resourceSliceCount: 1}
          devices: [{name: gpu-0}, {name: gpu-1}]
        """
      And the ResourceSlice "pool-1-slice" is updated with
        | field                  | value                              |
        | spec.devices[0].taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then pod "p" runs
      And claim "c" keeps its allocation

    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A taint in a pool evicts, whatever generation another pool of the driver has
      Given a claim "c" requesting 2 devices
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When this object is created
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: another}
        spec:
          driver: dra.example.com
          nodeName: node-1
          pool: {name: pool-2, generation: 5, resourceSliceCount: 1}
          devices: [{name: nic-0}]
        """
      And the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist

    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A taint in a pool that was published later evicts, though the pool before it is of a newer generation
      Given the feature gate "DRADeviceTaints" is on
      And the devices
        | device | pool   | attribute kind |
        | nic-0  | pool-2 | string nic     |
      And a device class "nic" that selects
        """
        device.attributes["dra.example.com"].?kind.orValue("") == "nic"
        """
      And a claim "c" requesting 1 device of class "nic"
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the ResourceSlice "pool-1-slice" is updated with
        | field                | value |
        | spec.pool.generation | 5     |
      And the ResourceSlice "pool-2-slice" is updated with
        | field                  | value                              |
        | spec.devices[0].taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist

    @DRA/taint/noschedule-leaves-running-pods
    Scenario: A NoSchedule taint leaves the pod that runs with the device, and its allocation, alone
      Given a claim "c" requesting 2 devices
      And a claim "d" requesting 1 device
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "d"
      When the Pod "p" is created
      And the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                               |
        | taints | [{key: broken, effect: NoSchedule}] |
      And 60 seconds pass
      And the cluster settles
      Then pod "p" runs
      And claim "c" keeps its allocation
      When the Pod "q" is created
      And pod "p" is deleted
      And the cluster settles
      Then pod "q" runs
      And claim "d" gets exactly
        | device |
        | gpu-1  |

    @DRA/taint/noschedule-leaves-running-pods @DRA/eviction/noexecute-deletes-running-pods
    Scenario: A taint whose effect becomes NoExecute evicts from then on
      Given a claim "c" requesting 2 devices
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                               |
        | taints | [{key: broken, effect: NoSchedule}] |
      And the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist

    @DRA/eviction/tolerating-pods-stay
    Scenario: A pod whose claim tolerates every NoExecute taint stays
      Given a claim "c" with the request
        | count | tolerations |
        | 2     | *:NoExecute |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then pod "p" runs
      But in Kubernetes 1.34, because allocations of this release do not record the tolerations that the eviction controller heeds: the Pod "p" does not exist

    @DRA/taint/applies-to-all-pods-of-the-claim
    Scenario: A pod of a claim whose device is tainted runs if the claim tolerates the taint
      Given a claim "c" with the request
        | count | tolerations     |
        | 2     | busy:NoSchedule |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                             |
        | taints | [{key: busy, effect: NoSchedule}] |
      And a pod "q" that uses claim "c" is created
      And the cluster settles
      Then pod "p" runs
      And pod "q" runs

    @DRA/taint/applies-to-all-pods-of-the-claim
    Scenario: A pod is not scheduled with a claim whose device is tainted, and the pod that runs with it stays
      Given a claim "c" requesting 2 devices
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                             |
        | taints | [{key: busy, effect: NoSchedule}] |
      And a pod "q" that uses claim "c" is created
      And the cluster settles
      Then pod "p" runs
      And pod "q" is pending
      But since Kubernetes 1.34, because schedulers look at the taints of devices while they allocate them, not when another pod uses the claim: pod "q" runs

    @DRA/taint/applies-to-all-pods-of-the-claim
    Scenario: A pod is not scheduled if the device of the second of its claims is tainted
      Given claim "c" already holds
        | device |
        | gpu-0  |
      And claim "d" already holds
        | device |
        | gpu-1  |
      When the driver changes the device "gpu-1"
        | field  | value                             |
        | taints | [{key: busy, effect: NoSchedule}] |
      And a pod "q" that uses claims "c, d" is created
      And the cluster settles
      Then pod "q" is pending
      But since Kubernetes 1.34, because schedulers look at the taints of devices while they allocate them, not when another pod uses the claim: pod "q" runs

  @profile:kep @profile:since-1.35
  Rule: Pods whose claims tolerate the taint stay

    @DRA/eviction/tolerating-pods-stay
    Scenario: A pod whose claim tolerates the taint without a limit stays
      Given a claim "c" with the request
        | count | tolerations      |
        | 2     | broken:NoExecute |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And 100 seconds pass
      And the cluster settles
      Then pod "p" runs
      And claim "c" keeps its allocation

    @DRA/eviction/tolerating-pods-stay @DRA/eviction/noexecute-deletes-running-pods
    Scenario Outline: Of two requests the one of the device that is tainted says what is tolerated, and the pod <outcome>
      Given a device class "left" that selects
        """
        device.driver == "left.example.com"
        """
      And a device class "right" that selects
        """
        device.driver == "dra.example.com"
        """
      And the device
        | device | driver           | pool |
        | l-0    | left.example.com | left |
      And a claim "c" with the requests
        | request | class | count | tolerations |
        | first   | left  | 1     | <first>     |
        | second  | right | 2     | <second>    |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-1"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then <then>

      Examples:
        | outcome | first            | second           | then                       |
        | stays   |                  | broken:NoExecute | pod "p" runs               |
        | goes    | broken:NoExecute |                  | the Pod "p" does not exist |

    @DRA/eviction/tolerating-pods-stay
    Scenario: A toleration of NoSchedule keeps no pod from being evicted
      Given a claim "c" with the request
        | count | tolerations       |
        | 2     | broken:NoSchedule |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist

    @DRA/eviction/tolerating-pods-stay
    Scenario: A pod whose claim tolerates one of two NoExecute taints is evicted
      Given a claim "c" with the request
        | count | tolerations      |
        | 2     | broken:NoExecute |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                                                           |
        | taints | [{key: broken, effect: NoExecute}, {key: hot, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist

    @DRA/eviction/tolerating-pods-stay
    Scenario: A toleration of another value keeps no pod from being evicted
      Given a claim "c" with the request
        | count | tolerations          |
        | 2     | broken=fan:NoExecute |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                                             |
        | taints | [{key: broken, value: memory, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist

    @DRA/eviction/tolerating-pods-stay @DRA/toleration/empty-matches-everything
    Scenario: A toleration without an effect keeps a pod from being evicted
      Given a claim "c" with the request
        | count | tolerations |
        | 2     | broken      |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then pod "p" runs
      But since Kubernetes 1.34, because the eviction controller heeds only tolerations whose effect is NoExecute: the Pod "p" does not exist

  @profile:kep @profile:since-1.35
  Rule: A toleration for some seconds delays the eviction, counted from the time the taint was added

    @DRA/toleration/delays-eviction
    Scenario Outline: A pod whose claim tolerates the taint for <seconds> seconds is evicted <seconds> seconds after it was added
      Given a claim "c" with the request
        | count | tolerations                    |
        | 2     | broken:NoExecute for <seconds>s |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And <before> seconds pass
      And the cluster settles
      Then pod "p" runs
      When <after> seconds pass
      And the cluster settles
      Then the Pod "p" does not exist

      Examples:
        | seconds | before | after |
        | 300     | 299    | 1     |
        | 30      | 22     | 8     |

    @DRA/toleration/delays-eviction
    Scenario: The delay of a pod that started after the taint is counted from the taint
      Given a claim "c" with the request
        | count | tolerations               |
        | 2     | broken:NoExecute for 300s |
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "c"
      When the Pod "p" is created
      And the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And 180 seconds pass
      And the Pod "q" is created
      And the cluster settles
      Then pod "q" runs
      When 119 seconds pass
      And the cluster settles
      Then pod "q" runs
      When 1 second passes
      And the cluster settles
      Then the Pod "p" does not exist
      And the Pod "q" does not exist

    @DRA/toleration/delays-eviction
    Scenario: A controller that learns of the taint after the delay evicts at once
      Given the feature gate "DRADeviceTaints" is off in the controller manager
      And a claim "c" with the request
        | count | tolerations              |
        | 2     | broken:NoExecute for 60s |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And 70 seconds pass
      And the cluster settles
      Then pod "p" runs
      When the feature gate "DRADeviceTaints" is turned on in the controller manager
      And the cluster settles
      Then the Pod "p" does not exist

    @DRA/toleration/delays-eviction
    Scenario: A controller that restarts during the delay evicts no earlier and no later
      Given a claim "c" with the request
        | count | tolerations               |
        | 2     | broken:NoExecute for 60s  |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And 40 seconds pass
      And the controller manager restarts
      And the cluster settles
      Then pod "p" runs
      When 20 seconds pass
      And the cluster settles
      Then the Pod "p" does not exist

    @DRA/toleration/delays-eviction
    Scenario: The time that the driver says the taint was added counts
      Given a claim "c" with the request
        | count | tolerations               |
        | 2     | broken:NoExecute for 300s |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                                                                 |
        | taints | [{key: broken, effect: NoExecute, timeAdded: "2020-01-01T10:00:00Z"}] |
      And the cluster settles
      Then the Pod "p" does not exist

    @DRA/toleration/delays-eviction
    Scenario Outline: A toleration for <seconds> seconds delays nothing
      Given a pod "p" that uses claim "c"
      And the object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c, namespace: default}
        spec:
          devices:
            requests:
            - name: r0
              exactly:
                deviceClassName: any
                allocationMode: ExactCount
                count: 2
                tolerations: [{key: broken, operator: Exists, effect: NoExecute, tolerationSeconds: <seconds>}]
        """
      And a device class "any"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist

      Examples:
        | seconds |
        | 0       |
        | -5      |

    @DRA/toleration/delays-eviction
    Scenario: Of two tolerations for 30 and for 10 seconds the shorter counts
      Given a claim "c" with the request
        | count | tolerations                                        |
        | 2     | broken:NoExecute for 30s, *:NoExecute for 10s |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And 5 seconds pass
      And the cluster settles
      Then pod "p" runs
      When 5 seconds pass
      And the cluster settles
      Then the Pod "p" does not exist

    @DRA/toleration/delays-eviction
    Scenario: Of a toleration for 10 seconds and one without a limit the one without counts
      Given a claim "c" with the request
        | count | tolerations                                |
        | 2     | broken:NoExecute, *:NoExecute for 10s |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And 40 seconds pass
      And the cluster settles
      Then pod "p" runs

    @DRA/toleration/delays-eviction
    Scenario: Of two tainted devices the one that is tolerated for a shorter time counts
      Given a claim "c" with the request
        | count | tolerations                                       |
        | 2     | broken:NoExecute for 60s, hot:NoExecute for 30s |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the driver changes the device "gpu-1"
        | field  | value                           |
        | taints | [{key: hot, effect: NoExecute}] |
      And 25 seconds pass
      And the cluster settles
      Then pod "p" runs
      When 5 seconds pass
      And the cluster settles
      Then the Pod "p" does not exist

    @DRA/toleration/delays-eviction
    Scenario: Pods that share a tainted device by claims of their own go when their own claim says so
      Given a claim "c" with the request
        | count | tolerations              |
        | 1     | broken:NoExecute for 30s |
      And a claim "d" with the request
        | count | tolerations              |
        | 1     | broken:NoExecute for 60s |
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claims "c, d"
      And a pod "r" that uses claim "d"
      When the cluster settles
      Then pod "p" runs
      And pod "q" runs
      And pod "r" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the driver changes the device "gpu-1"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And 30 seconds pass
      And the cluster settles
      Then the Pod "p" does not exist
      And the Pod "q" does not exist
      And pod "r" runs
      And claim "c" is not allocated
      And claim "d" is reserved for pod "r"
      When 30 seconds pass
      And the cluster settles
      Then the Pod "r" does not exist
      And claim "d" is not allocated

    @DRA/eviction/removed-taint-cancels
    Scenario: A taint that is gone after 200 of 300 seconds evicts nobody, and one added again starts anew
      Given a claim "c" with the request
        | count | tolerations               |
        | 2     | broken:NoExecute for 300s |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And 200 seconds pass
      And the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value |
        | taints | null  |
      And the cluster settles
      Then since Kubernetes 1.34, because the document does not say what is told of it: an event DeviceTaintManagerEviction is told of pod "p"
      When 200 seconds pass
      And the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And 299 seconds pass
      And the cluster settles
      Then pod "p" runs
      When 1 second passes
      And the cluster settles
      Then the Pod "p" does not exist

  @profile:kep @profile:since-1.35
  Rule: A taint of a device is for all that share it

    @DRA/eviction/noexecute-deletes-running-pods
    Scenario: Both pods that have a share of a device are deleted when it is tainted
      Given the device
        | device | shared | capacity bw |
        | nic-0  | yes    | 10          |
      And a claim "c" requesting 4 of "bw"
      And a claim "d" requesting 4 of "bw"
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "d"
      When the cluster settles
      Then pod "p" runs
      And pod "q" runs
      When the driver changes the device "nic-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist
      And the Pod "q" does not exist

  @profile:kep @profile:since-1.35
  Rule: Rules of administrators evict like taints of drivers

    @DRA/taint-rule/example @DRA/eviction/only-affected-pods
    Scenario: The example rule deletes the two pods of the driver, leaves the third, and keeps new pods away
      Given the devices
        | device | driver            | pool   |
        | nic-0  | net.example.com   | pool-2 |
      And a device class "gpu" that selects
        """
        device.driver == "dra.example.com"
        """
      And a device class "nic" that selects
        """
        device.driver == "net.example.com"
        """
      And a claim "c" requesting 1 device of class "gpu"
      And a claim "d" requesting 1 device of class "gpu"
      And a claim "e" requesting 1 device of class "nic"
      And a claim "f" with the request
        | class | tolerations                           |
        | gpu   | dra.example.com/unhealthy:NoExecute |
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "d"
      And a pod "r" that uses claim "e"
      And a pod "s" that uses claim "c"
      And a pod "u" that uses claim "f"
      And the device taint rule "example"
        | driver          | taint                                      |
        | dra.example.com | dra.example.com/unhealthy=Broken:NoExecute |
      When the Pod "p" is created
      And the Pod "q" is created
      And the Pod "r" is created
      And the cluster settles
      Then pod "p" is pending
      And pod "r" runs
      When the DeviceTaintRule "example" is updated with
        | field                      | value              |
        | spec.deviceSelector.driver | nobody.example.com |
      And the cluster settles
      Then pod "p" runs
      And pod "q" runs
      When the DeviceTaintRule "example" is updated with
        | field                      | value           |
        | spec.deviceSelector.driver | dra.example.com |
      And the cluster settles
      Then the Pod "p" does not exist
      And the Pod "q" does not exist
      And pod "r" runs
      When the Pod "s" is created
      And the Pod "u" is created
      And the cluster settles
      Then pod "s" is pending
      And pod "u" runs

    @DRA/taint-rule/example
    Scenario: A rule beside the driver's own taint evicts the pod that tolerates only the driver's
      Given a claim "c" with the request
        | count | tolerations    |
        | 2     | warm:NoExecute |
      And the device taint rule "r"
        | device | taint            |
        | gpu-9  | repair:NoExecute |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                            |
        | taints | [{key: warm, effect: NoExecute}] |
      And the cluster settles
      Then pod "p" runs
      When the DeviceTaintRule "r" is updated with
        | field                      | value |
        | spec.deviceSelector.device | gpu-0 |
      And the cluster settles
      Then the Pod "p" does not exist

    @DRA/taint-rule/example @DRA/eviction/only-affected-pods
    Scenario: A rule for one device evicts the pod of that device only
      Given the device taint rule "r"
        | driver          | pool   | device | taint            |
        | dra.example.com | pool-1 | gpu-9  | repair:NoExecute |
      Given a claim "c" requesting 1 device
      And a claim "d" requesting 1 device
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "d"
      When the Pod "p" is created
      And the cluster settles
      Then claim "c" gets exactly
        | device |
        | gpu-0  |
      When the Pod "q" is created
      And the cluster settles
      Then pod "q" runs
      When the DeviceTaintRule "r" is updated with
        | field                      | value |
        | spec.deviceSelector.device | gpu-1 |
      And the cluster settles
      Then the Pod "q" does not exist
      And pod "p" runs

    @DRA/taint-rule/lifetime @DRA/eviction/removed-taint-cancels
    Scenario: A rule that is deleted after 20 of 30 seconds evicts nobody
      Given a claim "c" with the request
        | count | tolerations              |
        | 2     | repair:NoExecute for 30s |
      And the device taint rule "r"
        | device | taint            |
        | gpu-0  | repair:NoExecute |
      And a pod "p" that uses claim "c"
      And a pod "waiting" without claims
      When the cluster settles
      Then pod "p" runs
      When 20 seconds pass
      And the cluster settles
      Then pod "p" runs
      When the DeviceTaintRule "r" is deleted
      And the cluster settles
      Then since Kubernetes 1.34, because the document does not say what is told of it: an event DeviceTaintManagerEviction is told of pod "p"
      When 3600 seconds pass
      And the cluster settles
      Then pod "p" runs
      And claim "c" keeps its allocation

    @DRA/taint-rule/lifetime @DRA/toleration/delays-eviction
    Scenario: Of two rules the one that is left when the other is deleted still evicts
      Given a claim "c" with the request
        | count | tolerations                                         |
        | 2     | repair:NoExecute for 30s, audit:NoExecute for 60s |
      And the device taint rule "r"
        | device | taint            |
        | gpu-0  | repair:NoExecute |
      And the device taint rule "s"
        | device | taint           |
        | gpu-1  | audit:NoExecute |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      When the DeviceTaintRule "r" is deleted
      And 59 seconds pass
      And the cluster settles
      Then pod "p" runs
      When 1 second passes
      And the cluster settles
      Then the Pod "p" does not exist

    @DRA/taint-rule/no-selector-matches-nothing
    Scenario: A rule whose selector is taken away evicts nobody, not from a device that its driver has withdrawn either
      Given a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      And the device taint rule "r"
        | driver             | taint            |
        | nobody.example.com | repair:NoExecute |
      When the cluster settles
      Then pod "p" runs
      When the ResourceSlice "pool-1-slice" is deleted
      And the DeviceTaintRule "r" is updated with
        | field               | value |
        | spec.deviceSelector | null  |
      And the cluster settles
      Then pod "p" runs
      And claim "c" keeps its allocation

  @profile:since-1.35
  Rule: Rules of administrators reach devices in use that nobody publishes any more

    @DRA/taint-rule/independent-of-driver
    Scenario: A rule evicts the pod of a device that its driver has withdrawn, and not that of another driver's
      Given the devices
        | device | driver          | pool   |
        | nic-0  | net.example.com | pool-2 |
      And a device class "gpu" that selects
        """
        device.driver == "dra.example.com"
        """
      And a device class "nic" that selects
        """
        device.driver == "net.example.com"
        """
      And a claim "c" requesting 1 device of class "gpu"
      And a claim "d" requesting 1 device of class "nic"
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "d"
      And the device taint rule "r"
        | driver             | taint            |
        | nobody.example.com | repair:NoExecute |
      When the cluster settles
      Then pod "p" runs
      When the ResourceSlice "pool-1-slice" is deleted
      And the ResourceSlice "pool-2-slice" is deleted
      And the cluster settles
      Then pod "p" runs
      When the DeviceTaintRule "r" is updated with
        | field                      | value           |
        | spec.deviceSelector.driver | dra.example.com |
      And the cluster settles
      Then the Pod "p" does not exist
      And pod "q" runs

    @DRA/taint-rule/independent-of-driver @DRA/taint-rule/select-by-pool
    Scenario: A rule for a pool, of whatever driver, evicts the pod of a device that is withdrawn
      Given a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      And the device taint rule "r"
        | pool  | taint            |
        | other | repair:NoExecute |
      When the cluster settles
      Then pod "p" runs
      When the ResourceSlice "pool-1-slice" is deleted
      And the cluster settles
      Then pod "p" runs
      When the DeviceTaintRule "r" is updated with
        | field                    | value  |
        | spec.deviceSelector.pool | pool-1 |
      And the cluster settles
      Then the Pod "p" does not exist

    @DRA/taint-rule/independent-of-driver @DRA/taint-rule/select-by-device
    Scenario Outline: A rule for one device<more> evicts the pod of that device, though it is withdrawn, and not its neighbour's
      Given a claim "c" requesting 1 device
      And a claim "d" requesting 1 device
      And claim "c" already holds
        | device |
        | gpu-0  |
      And claim "d" already holds
        | device |
        | gpu-1  |
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "d"
      And the device taint rule "r"
        | device | taint            |
        | gpu-7  | repair:NoExecute |
      When the cluster settles
      Then pod "p" runs
      When the ResourceSlice "pool-1-slice" is deleted
      And the cluster settles
      Then pod "p" runs
      When the DeviceTaintRule "r" is updated with
        | field               | value      |
        | spec.deviceSelector | <selector> |
      And the cluster settles
      Then the Pod "p" does not exist
      And pod "q" runs

      Examples:
        | more                            | selector                                               |
        |                                 | {device: gpu-0}                                        |
        | of a pool                       | {pool: pool-1, device: gpu-0}                          |
        | of a pool and a driver          | {driver: dra.example.com, pool: pool-1, device: gpu-0} |

    @DRA/taint-rule/independent-of-driver
    Scenario Outline: A rule for a withdrawn device of another <of> evicts nobody
      Given a claim "c" requesting 1 device
      And claim "c" already holds
        | device |
        | gpu-0  |
      And a pod "p" that uses claim "c"
      And the device taint rule "r"
        | device | taint            |
        | gpu-7  | repair:NoExecute |
      When the cluster settles
      Then pod "p" runs
      When the ResourceSlice "pool-1-slice" is deleted
      And the DeviceTaintRule "r" is updated with
        | field               | value      |
        | spec.deviceSelector | <selector> |
      And the cluster settles
      Then pod "p" runs
      When the DeviceTaintRule "r" is updated with
        | field               | value           |
        | spec.deviceSelector | {device: gpu-0} |
      And the cluster settles
      Then the Pod "p" does not exist

      Examples:
        | of     | selector                                             |
        | pool   | {pool: other, device: gpu-0}                         |
        | driver | {driver: net.example.com, device: gpu-0}             |

  @profile:kep
  Rule: A rule evicts from the devices that it selects by class or by expression, and from no others

    @DRA/taint-rule/select-by-class @DRA/eviction/only-affected-pods
    Scenario: A rule for a class evicts the pod of a device of the class, and not that of another device
      Given the devices
        | device | driver          | pool   |
        | nic-0  | net.example.com | pool-2 |
      And a device class "gpu" that selects
        """
        device.driver == "dra.example.com"
        """
      And a device class "nic" that selects
        """
        device.driver == "net.example.com"
        """
      And a claim "c" requesting 1 device of class "gpu"
      And a claim "d" requesting 1 device of class "nic"
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "d"
      When the cluster settles
      Then pod "p" runs
      And pod "q" runs
      When this object is created
        """
        apiVersion: resource.k8s.io/v1alpha3
        kind: DeviceTaintRule
        metadata: {name: r}
        spec:
          deviceSelector: {deviceClassName: gpu}
          taint: {key: repair, effect: NoExecute}
        """
      And the cluster settles
      Then the Pod "p" does not exist
      And pod "q" runs

  @profile:since-1.34
  Rule: What releases tell of an eviction, of which the page says nothing

    @DRA/eviction/noexecute-deletes-running-pods @DRA/eviction/by-device-taint-controller
    Scenario: The controller says on the pod why it is disrupted before it deletes it
      Given a claim "c" requesting 2 devices
      And a pod "p" that uses claim "c"
      When the Pod "p" is created with
        | field               | value              |
        | metadata.finalizers | [example.com/hold] |
      And the cluster settles
      Then pod "p" runs
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" has
        | field                                           | value                        |
        | status.conditions[type=DisruptionTarget].status | "True"                       |
        | status.conditions[type=DisruptionTarget].reason | DeletionByDeviceTaintManager |
      And an event DeviceTaintManagerEviction is told of pod "p"

    @DRA/eviction/by-device-taint-controller
    Scenario: What the controller says on the pod replaces what was said before, and other conditions stay
      Given a claim "c" requesting 2 devices
      And a pod "p" that uses claim "c"
      When the Pod "p" is created with
        | field               | value              |
        | metadata.finalizers | [example.com/hold] |
      And the cluster settles
      Then pod "p" runs
      When the status of the Pod "p" is updated with
        | field             | value                                                                                             |
        | status.conditions | [{type: DisruptionTarget, status: "False"}, {type: example.com/warm, status: "True"}] |
      And the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" has
        | field                                           | value                        |
        | status.conditions[type=DisruptionTarget].status | "True"                       |
        | status.conditions[type=DisruptionTarget].reason | DeletionByDeviceTaintManager |
        | status.conditions[type=example.com/warm].status | "True"                       |
