@profile:since-1.35
Feature: Quotas with scopes count pods, not ResourceClaims
  The KEP does not mention scopes. In releases only pods match a scope, so ResourceClaims do not count in a quota with
  scopes, whichever name of the DeviceClass the quota limits.

  Background:
    Given a DeviceClass "mygpuclass" for extended resource "example.com/gpu"
    And a node "dra"
    And the devices
      | device | node |
      | gpu-0  | dra  |
      | gpu-1  | dra  |
      | gpu-2  | dra  |
      | gpu-3  | dra  |

  Rule: ResourceQuota with the scope Terminating

    Background:
      Given the object
        """
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: q, namespace: default}
        spec:
          hard:
            requests.example.com/gpu: 1
            requests.deviceclass.resource.kubernetes.io/mygpuclass: 1
            mygpuclass.deviceclass.resource.k8s.io/devices: 1
          scopes: [Terminating]
        """
      And a ResourceClaim "c" requesting 2 devices of class "mygpuclass"

    @case:terminating-counts-pod-not-claims
    @API/quota/scopes
    Scenario: A Terminating quota counts pods with activeDeadlineSeconds, but never ResourceClaims
      When the cluster reaches a steady state
      And this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default}
        spec:
          activeDeadlineSeconds: 3600
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        """
      Then the object is stored
      When the cluster reaches a steady state
      Then pod "p" is Running on node "dra"
      And ResourceClaim "extended resources of pod p" is allocated 1 device
      And ResourceQuota "q" reports 1 of "requests.example.com/gpu" and 0 of "requests.deviceclass.resource.kubernetes.io/mygpuclass" and 0 of "mygpuclass.deviceclass.resource.k8s.io/devices" as used
      When this object is created
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: next, namespace: default}
        spec:
          activeDeadlineSeconds: 3600
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        """
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden

    @case:terminating-ignores-other-pods
    @API/quota/scopes
    Scenario: A Terminating quota limits neither pods without activeDeadlineSeconds nor ResourceClaims
      When the cluster reaches a steady state
      And a pod "p" that requests 2 of "example.com/gpu" is created
      Then the object is stored
      When a ResourceClaim "d" requesting 4 devices of class "mygpuclass" is created
      Then the object is stored
      When the cluster reaches a steady state
      Then ResourceQuota "q" reports 0 of "requests.example.com/gpu" and 0 of "mygpuclass.deviceclass.resource.k8s.io/devices" as used

    @case:deadline-added-later
    @API/quota/scopes
    Scenario Outline: activeDeadlineSeconds can be added to a pod only if the pod fits the Terminating quota
      Given a pod "p" that requests <amount> of "example.com/gpu"
      When the cluster reaches a steady state
      And pod "p" is updated with
        | field                      | value |
        | spec.activeDeadlineSeconds | 3600  |
      Then the object <what>
      When the cluster reaches a steady state
      Then ResourceQuota "q" reports <used> of "requests.example.com/gpu" as used

      Examples:
        | amount | what                     | used |
        | 1      | is stored                | 1    |
        | 2      | is rejected              | 0    |

  Rule: ResourceQuota with several scopes

    @case:terminating-and-best-effort
    @API/quota/scopes
    Scenario Outline: A quota with two scopes counts only a pod that matches both scopes
      Given the object
        """
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: q, namespace: default}
        spec:
          hard: {pods: 5}
          scopes: [Terminating, BestEffort]
        """
      And the object
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default}
        spec:
          activeDeadlineSeconds: 3600
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1, cpu: <cpu>}}
        """
      When the cluster reaches a steady state
      Then ResourceQuota "q" reports <used> of "pods" as used

      Examples:
        | cpu | used |
        | 0   | 1    |
        | 1m  | 0    |

  Rule: ResourceQuota with the scope CrossNamespacePodAffinity

    @case:affinity-to-other-namespaces
    @API/quota/scopes
    Scenario Outline: A CrossNamespacePodAffinity quota counts only a pod with affinity to other namespaces
      Given the object
        """
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: q, namespace: default}
        spec:
          hard: {requests.example.com/gpu: 2}
          scopes: [CrossNamespacePodAffinity]
        """
      And the object
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default}
        spec:
          affinity: {<affinity>: {<list>: [<term>]}}
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
        """
      When the cluster reaches a steady state
      Then ResourceQuota "q" reports <used> of "requests.example.com/gpu" as used

      Examples:
        | affinity        | list                                            | term                                                                                          | where              | counts     | used |
        | podAffinity     | requiredDuringSchedulingIgnoredDuringExecution  | {topologyKey: zone, labelSelector: {}, namespaces: [team]}                                    | a namespace        | counts     | 1    |
        | podAntiAffinity | requiredDuringSchedulingIgnoredDuringExecution  | {topologyKey: zone, labelSelector: {}, namespaceSelector: {}}                                 | every namespace    | counts     | 1    |
        | podAntiAffinity | preferredDuringSchedulingIgnoredDuringExecution | {weight: 1, podAffinityTerm: {topologyKey: zone, labelSelector: {}, namespaces: [team]}}      | a namespace        | counts     | 1    |
        | podAffinity     | preferredDuringSchedulingIgnoredDuringExecution | {weight: 1, podAffinityTerm: {topologyKey: zone, labelSelector: {}, namespaceSelector: {}}}   | every namespace    | counts     | 1    |
        | podAntiAffinity | requiredDuringSchedulingIgnoredDuringExecution  | {topologyKey: zone, labelSelector: {}}                                                        | its own namespace  | counts not | 0    |

  Rule: ResourceQuota with the scope PriorityClass

    @case:priority-class-operators
    @API/quota/scopes @KEP-5004/quota/key-prefix
    Scenario Outline: A quota for a priority class counts only the pod that its scope selector matches
      Given the object
        """
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: q, namespace: default}
        spec:
          hard: {requests.deviceclass.resource.kubernetes.io/mygpuclass: 2}
          scopeSelector:
            matchExpressions:
              - {scopeName: PriorityClass, operator: <operator>, values: [<class>]}
        """
      And the object
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default}
        spec:
          priorityClassName: system-cluster-critical
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources:
                limits: {deviceclass.resource.kubernetes.io/mygpuclass: 1}
                requests: {deviceclass.resource.kubernetes.io/mygpuclass: 1}
        """
      And the object
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: r, namespace: default}
        spec:
          priorityClassName: system-node-critical
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources:
                limits: {deviceclass.resource.kubernetes.io/mygpuclass: 2}
                requests: {deviceclass.resource.kubernetes.io/mygpuclass: 2}
        """
      When the cluster reaches a steady state
      Then ResourceQuota "q" reports <used> of "requests.deviceclass.resource.kubernetes.io/mygpuclass" as used

      Examples:
        | operator | class                   | used |
        | In       | system-cluster-critical | 1    |
        | NotIn    | system-cluster-critical | 2    |
